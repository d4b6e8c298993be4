// What the server answers. These are the shapes of `--json` and of MCP; see docs/http-api.md.

export interface Page<T> {
  items: T[];
  next: string | null;
  total: number;
}

export interface Project {
  id: string;
  name: string;
  created_at: string;
  events: number;
  keys: string[];
}

export interface Event {
  position: number;
  id: string;
  session_id: string;
  sequence: number;
  at: string;
  actor: string;
  kind: string;
  role: string;
  target?: string;
  summary: string;
  content?: string;
  item_id?: string;
  rationale?: string;
  tokens: number;
  redactions: number;
  purged?: { at: string; by: string; reason: string };
}

export interface Session {
  id: string;
  client: string;
  client_session: string;
  chatmode: string;
  user: string;
  workflow?: string;
  git_branch?: string;
  started_at: string;
  last_event_at: string;
  ended_at?: string;
  end_reason?: string;
  events: number;
  scratchpad: unknown;
  scratchpad_version: number;
}

export interface SessionStatus extends Session {
  state: string;
  duration_seconds: number;
  tokens: number;
  events_by_kind: Record<string, number>;
  memories_recalled: number;
  injections: Injections;
  compaction: Record<string, number | string | null>;
}

export interface Injections {
  count: number;
  tokens: number;
  memories: number;
  newest: Injection[];
}

export interface Injection {
  event_id: string;
  at: string;
  moment: string;
  tokens: number;
  summary: string;
  given: Piece[] | null;
  left_out: { told_before: number; no_room: number } | null;
}

export interface Piece {
  what: string;
  why: string;
  score?: number;
}

export interface Reconstruction {
  session_id: string;
  narrative: string;
  operations: Operation[];
  operations_omitted?: number;
  decisions: Choice[];
  decisions_omitted?: number;
  beliefs_affected: { belief_id: string; content: string; action: string; confidence: number; reason?: string }[];
  unfinished: string[];
  unfinished_omitted?: number;
  other_sessions?: { session_id: string; last_event_at: string; found: string; score: number }[];
}

export interface Operation {
  sequence: number;
  type: string;
  target?: string;
  summary?: string;
  rationale?: string;
  times?: number;
  failed?: number;
}

export interface Choice {
  id?: string;
  subject: string;
  choice: string;
  rationale?: string;
  alternatives_considered?: string[];
  confidence?: number;
  superseded?: boolean;
}

export type ItemStatus = 'open' | 'in_progress' | 'blocked' | 'done' | 'cancelled' | (string & {});

export interface Stub {
  id: string;
  title: string;
  type: string;
  status: ItemStatus;
  parent_id?: string;
  priority?: string;
  due_date?: string;
  blocked_reason?: string[];
  child_count?: number;
  updated_at: string;
}

export interface Item extends Stub {
  description?: string;
  references?: { url: string; title?: string }[];
  depends_on?: string[];
  blocks?: string[];
  evidence?: string[];
  summary?: string;
  validation?: { valid: boolean; report?: string };
  created_at: string;
  status_since: string;
}

export interface Entity {
  id: string;
  title: string;
  status: ItemStatus;
  type: string;
  parent_id?: string;
  fidelity: string;
  graph_depth?: number;
  relevance_score?: number;
  priority?: string;
  blocked_reason?: string;
  excerpt?: string;
}

export interface Dependency extends Entity {
  relation: string;
  blocking: boolean;
  of?: string;
}

export interface Known {
  id: string;
  kind: string;
  title: string;
  fidelity: string;
  relevance_score: number;
  confidence: number;
  source: string;
  content?: string;
  at: string;
}

export interface Activity {
  at: string;
  kind: string;
  item_id: string;
  actor: string;
  summary: string;
}

export interface Context {
  focal: Item & { fidelity: string };
  parent?: Entity;
  session_summary?: {
    session_id: string;
    actor: string;
    actor_type: string;
    started_at: string;
    ended_at: string;
    operation_count: number;
    summary: string;
  };
  suggestions?: { action: string; id: string; reason: string }[];
  dependencies?: Dependency[];
  children?: Entity[];
  siblings?: Entity[];
  cross_referenced?: Entity[];
  referenced_by?: Entity[];
  ancestors?: Entity[];
  descendants?: Entity[];
  memories?: Known[];
  decisions?: Known[];
  related?: Entity[];
  resources?: { uri: string; title: string; fidelity: string; relevance_score?: number; excerpt?: string }[];
  activity?: Activity[];
  metadata: ContextMetadata;
}

export interface ContextMetadata {
  depth: number;
  focal_resolved_from: string;
  max_tokens: number;
  token_estimate: number;
  truncated: boolean;
  total_items: number;
  stages_executed: string[];
  omitted?: Record<string, { total: number; shown: number; downgraded?: number }>;
}

/** What became of one candidate of a context. */
export interface Explained {
  role: string;
  id: string;
  relevance_score?: number;
  tokens: number;
  outcome: string;
}

export interface Memory {
  id: string;
  kind: string;
  scope: string;
  status: string;
  title: string;
  content: string;
  tags?: string[];
  importance: number;
  confidence: number;
  confidence_now?: number;
  source: string;
  actor: string;
  state_key?: string;
  supersedes?: string;
  superseded_by?: string;
  created_at: string;
  expires_at?: string;
  ended_at?: string;
  end_reason?: string;
  last_used_at?: string;
  use_count: number;
  last_verified_at?: string;
}

export interface MemoryShown extends Memory {
  lineage: { event_id: string; session_id: string }[];
  decay?: string;
  cites?: { path: string; lines: string; code: string; stale?: boolean }[];
  links?: Record<string, unknown>[];
}

export interface Waiting extends Memory {
  why: string;
  since: string;
}

export interface Entry {
  id: string;
  type: string;
  content: string;
  score: number;
  tier: Tier;
  tokens: number;
  access_count: number;
  created_at: string;
  last_accessed_at: string;
  item_id?: string;
  archived?: boolean;
}

export type Tier = 'HOT' | 'WARM' | 'COLD';

export interface SetStats {
  total_items: number;
  hot_count: number;
  warm_count: number;
  cold_count: number;
  archived_count: number;
  total_tokens: number;
  tokens: { hot: number; warm: number; cold: number; archived: number };
  token_limit: number;
  flash_due: boolean;
}

export interface Hit {
  id: string;
  kind: string;
  title: string;
  snippet: string;
  score: number;
  matching: number;
  source: string;
  confidence?: number;
  age: string;
  at: string;
  tags?: string[];
  session_id?: string;
  status?: string;
  parts?: ScoreParts;
}

export interface ScoreParts {
  relevance: number;
  matching: number;
  lexical: number;
  semantic: number | null;
  recency: number;
  importance: number;
  confidence: number;
  uses: number;
  weights: [number, number, number];
}

export interface Found {
  hits: Hit[];
  shown: number;
  total: number;
  total_is_at_least?: boolean;
  unindexed: number;
  explanation?: {
    collection: string;
    documents: number;
    unindexed: number;
    candidates: number;
    models: string[];
    terms: { word: string; documents: number; weight: number; taken_for?: string[] }[];
  }[];
}

export interface Job {
  kind: string;
  key: string;
  state: string;
  attempts: number;
  run_at: string;
  error?: string;
}

export interface Overview {
  /** Null where nobody has written yet. */
  project: string | null;
  position: number;
  counts: {
    events: number;
    sessions: number;
    open_sessions: number;
    memories: number;
    items: number;
    memories_by_kind: Record<string, number>;
    items_by_status: Record<string, number>;
  };
  days: { day: string; events: number; sessions: number; tokens_injected: number; tokens_saved: number }[];
  agents: { actor: string; events: number; last_at: string }[];
  unfinished: { why: string; text: string; since: string; session_id: string }[];
  review_queue: number;
  index: Collection[];
  jobs: Record<string, number>;
  jobs_due: number;
}

export interface Holder extends SetStats {
  agent: string;
}

/** Something that has to be finished first. */
export interface Blocking extends Stub {
  /** What waits for it. */
  waiting: string;
  depth: number;
}

export interface ExplainedContext extends Context {
  explanation?: Explained[];
}

export interface MemoryHistory {
  versions: Memory[];
  events: Event[];
}

export interface Collection {
  collection: string;
  documents: number;
  pending: number;
  partitions: number;
  unindexed: number;
  pages: number;
  bytes: number;
  embedded?: [number, number];
}

export interface IndexStatus {
  collections: Collection[];
  model?: string;
  model_problem?: string;
  vectors: string;
  /** The index of the project's files, once somebody asked for one. */
  code?: CodeHealth;
}

export interface CodeHealth {
  root: string;
  files: number;
  chunks: number;
  /** Not read as source: binary, generated, minified, large. */
  left_out: number;
  unreadable: number;
  waiting: number;
  job?: { state: string; attempts: number; error?: string };
  finished_at?: string;
  duration_ms: number;
  stale_ratio: number;
  searches: number;
  hit_rate: number;
  fallback_rate: number;
  stale_results: number;
}

export interface TurnAnswer {
  text: string | null;
  tokens: number;
  given: Piece[];
  left_out: { told_before: number; no_room: number };
}
