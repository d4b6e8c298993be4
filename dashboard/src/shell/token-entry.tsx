// Where a server wants to know who comes in.

import { useState, type FormEvent } from 'react';
import { getToken, giveToken } from '../api/token';

export function TokenEntry({ given }: { given: () => void }) {
  const [token, setToken] = useState('');
  const hadOne = getToken() !== null;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (token.trim() === '') return;
    giveToken(token);
    given();
  };
  return (
    <main className="note" id="main">
      <h1>This server wants a token</h1>
      <p>
        {hadOne ? 'It did not take the one that was given. ' : ''}
        Whoever runs it makes one with <code>throughline token create</code>. It stays in this tab and goes nowhere else.
      </p>
      <form className="row" onSubmit={submit}>
        <label className="field">
          <span className="visually-hidden">Token</span>
          <input className="input" type="password" autoComplete="off" autoFocus value={token} onChange={(event) => setToken(event.target.value)} />
        </label>
        <button type="submit" className="button button-main">
          Come in
        </button>
      </form>
    </main>
  );
}
