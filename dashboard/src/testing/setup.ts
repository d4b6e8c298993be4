// What jsdom lacks and the components rely on.

import '@testing-library/jest-dom/vitest';
import { cleanup, configure } from '@testing-library/react';

// What is waited for comes late on a machine that does much else.
configure({ asyncUtilTimeout: 10_000 });

class Sized {
  constructor(private readonly seen: ResizeObserverCallback) {}
  observe(element: Element): void {
    const contentRect = { width: 600, height: 400 } as DOMRectReadOnly;
    this.seen([{ target: element, contentRect, borderBoxSize: [{ inlineSize: 600, blockSize: 400 }] } as unknown as ResizeObserverEntry], this as unknown as ResizeObserver);
  }
  unobserve(): void {}
  disconnect(): void {}
}

globalThis.ResizeObserver = Sized as unknown as typeof ResizeObserver;
Object.defineProperty(HTMLElement.prototype, 'clientHeight', { value: 400 });
Object.defineProperty(HTMLElement.prototype, 'clientWidth', { value: 600 });
HTMLDialogElement.prototype.showModal ??= function (this: HTMLDialogElement) {
  this.open = true;
};
HTMLDialogElement.prototype.close ??= function (this: HTMLDialogElement) {
  this.open = false;
};

afterEach(() => {
  cleanup();
  localStorage.clear();
  sessionStorage.clear();
});
