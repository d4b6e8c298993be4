"""Steps down, each recorded once for its width and played again: to tell a GPU what a step of a small model is takes longer than the step."""

import math
import random
import time

import torch

from fit import DEVICE

# Rows are as wide as the next of these, so that few widths are recorded.
STRIDE = 4
# So many steps are told of at once.
TOLD_OF = 500
# What is missed by less is easy, and so much of that is read again each time.
EASY, EASY_AGAIN = 0.02, 0.25


class Steps:
    """`off` says how far off the model is for rows of a width and the given places, whose count never changes."""

    def __init__(self, model, off):
        self.parts = [part for part in model.parameters() if part.requires_grad]
        self.off, self.recorded, self.pool = off, {}, None
        self.rate, self.total = torch.zeros((), device=DEVICE), torch.zeros((), device=DEVICE)
        self.plan = torch.optim.AdamW(self.parts, self.rate, weight_decay=0.01, fused=True, capturable=DEVICE == "cuda")

    def step(self, rate, width, *places):
        self.rate.fill_(rate)
        if DEVICE != "cuda":
            return self.down(width, *places)
        if width not in self.recorded:
            self.recorded[width] = self.record(width, places)
        graph, kept = self.recorded[width]
        for here, given in zip(kept, places, strict=True):
            here.copy_(given)
        graph.replay()

    def down(self, width, *places):
        self.plan.zero_grad(set_to_none=True)
        loss = self.off(width, *places)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.parts, 1.0)
        self.plan.step()
        self.total += loss.detach()

    def record(self, width, places):
        """The steps before the recording are real ones: they make what a recording cannot make."""
        kept, beside = [given.clone() for given in places], torch.cuda.Stream()
        beside.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(beside):
            for _ in range(2):
                self.down(width, *kept)
        torch.cuda.current_stream().wait_stream(beside)
        self.plan.zero_grad(set_to_none=True)
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph, pool=self.pool):
            self.down(width, *kept)
        self.pool = self.pool or graph.pool()
        return graph, kept

    def for_seconds(self, seconds, rate, parts):
        """Steps with all parts, again and again, until the time is over; the rate falls with it."""
        start, share, step = time.monotonic(), 0.0, 0
        while share < 1:
            for width, *places in parts():
                share = (time.monotonic() - start) / seconds
                if share >= 1:
                    break
                self.step(rate * warmth(share), width, *places)
                step += 1
                if step % TOLD_OF == 0:
                    # To ask waits for the GPU, which is told of steps faster than it takes them.
                    print(f"  {step} steps, {share:.1%}: {float(self.total) / TOLD_OF:.4f}", flush=True)
                    self.total.zero_()


class Again:
    """What is known well is read less often, and counts as much: few pairs are hard, and are read all the more."""

    def __init__(self, known, missed):
        self.known, self.missed, self.counts = known, missed, torch.ones_like(missed)

    def note(self, some, missed):
        """By how much some were missed just now."""
        self.missed[some] = missed.detach()

    def chosen(self):
        is_easy = self.missed[self.known] < EASY
        self.counts[self.known] = torch.where(is_easy, 1 / EASY_AGAIN, 1.0)
        some = self.known[~is_easy | (torch.rand(len(self.known), device=DEVICE) < EASY_AGAIN)]
        print(f"  {len(some)} of {len(self.known)} pairs", flush=True)
        return some


def shuffled(parts):
    random.shuffle(parts)
    return parts


def of_like_length(chosen, length, size, spread):
    """The width that each part needs, and the part, all of one size: of like length together, so that little is read for nothing."""
    order = (length[chosen] + torch.rand(len(chosen), device=DEVICE) * spread).argsort()
    size = min(size, len(chosen))
    parts = [chosen[order[start : start + size]] for start in range(0, len(chosen) - size, size)] + [chosen[order[-size:]]]
    widest = torch.stack([length[part].max() for part in parts]).tolist()
    return [(-(-int(width) // STRIDE) * STRIDE, part) for part, width in zip(parts, widest)]


def warmth(share):
    """Up in the beginning, down in the rest."""
    return share / 0.06 + 0.01 if share < 0.06 else 0.5 + 0.5 * math.cos(math.pi * min(1, (share - 0.06) / 0.94))
