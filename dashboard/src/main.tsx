import { createRoot } from 'react-dom/client';
import { App } from './app';
import './look/tokens.css';
import './look/base.css';
import './look/shell.css';
import './look/parts.css';
import './look/charts.css';
import './look/pages.css';

createRoot(document.getElementById('root')!).render(<App />);
