/**
 * The tools that `sparring mcp` offers: which verbs each runs, and what an agent should know of it. Arguments, their checks
 * and their descriptions are those of the verbs' own tables.
 */
import { isUnknownRecord } from '../../core/protocol/unknown-record.ts'

const ranked = (rows: readonly unknown[], member: string, ranks: readonly string[]): unknown[] => {
  const rankOf = (row: unknown): number => {
    const rank = isUnknownRecord(row) ? ranks.indexOf(String(row[member])) : -1
    return rank < 0 ? ranks.length : rank
  }
  return rows.toSorted((one, other) => rankOf(one) - rankOf(other))
}

const outcomeRanks = ['failed', 'inconclusive', 'open'] as const

/** A rule that holds, or was not exercised, by its name and its count alone. */
function shortVerdict(verdict: unknown): unknown {
  if (!isUnknownRecord(verdict)) return verdict
  const { id, name, outcome, premises } = verdict
  return outcomeRanks.some((rank) => rank === outcome) ? verdict : { id, name, outcome, premises }
}

/** Verdicts: failed rules first, then those in doubt; of those that hold only the names. */
const ruleFailuresFirst = (verdicts: unknown): unknown =>
  Array.isArray(verdicts) ? ranked(verdicts, 'outcome', outcomeRanks).map(shortVerdict) : verdicts

/** The report of `sparring run`: failed runs first, without steps and journals. */
function failuresFirst(report: unknown): unknown {
  if (!isUnknownRecord(report) || !Array.isArray(report['runs'])) return report
  const runs = ranked(report['runs'], 'result', ['failed', 'stopped', 'inconclusive', 'skipped'])
  return { ...report, runs: runs.map(withoutHistory) }
}

/** A run without what only an inquiry needs: its journal, its steps and the rules that hold. */
function withoutHistory(run: unknown): unknown {
  if (!isUnknownRecord(run)) return run
  const { journal: _journal, steps: _steps, verdicts, ...kept } = run
  if (!Array.isArray(verdicts)) return kept
  const isFinding = (each: unknown): boolean =>
    isUnknownRecord(each) && outcomeRanks.some((rank) => rank === each['outcome'])
  return { ...kept, verdicts: verdicts.filter(isFinding) }
}

/** The lines of `sparring replay`: the summary first, then the exchanges that are not as they were recorded. */
function differencesFirst(lines: unknown): unknown {
  if (!Array.isArray(lines)) return lines
  const differing = lines.filter((line) => !(isUnknownRecord(line) && line['standing'] === 'same'))
  return ranked(differing, 'type', ['summary'])
}

/** What of a campaign's report says what was found; schedules, coverage and counts come after it. */
const bucketMembers = [
  'id',
  'rule',
  'status',
  'sentence',
  'paragraph',
  'remedy',
  'clauses',
  'file',
  'recording',
  'again',
] as const

const reportMembers = [
  'ok',
  'halted',
  'interrupted',
  'subject',
  'channel',
  'seed',
  'shard',
  'merged',
  'runs',
  'schedules',
  'tookMs',
  'buckets',
  'steady',
  'crash',
  'passing',
  'inconclusive',
  'leftOut',
  'faults',
  'notExercised',
] as const

const membersOf = (value: unknown, names: readonly string[]): unknown =>
  isUnknownRecord(value)
    ? Object.fromEntries(
        names.flatMap((name) => (Object.hasOwn(value, name) ? [[name, value[name]]] : [])),
      )
    : value

/** The report of `sparring explore`: what was found and where it is kept. */
function findingsOnly(report: unknown): unknown {
  if (!isUnknownRecord(report) || report['type'] !== 'report') return report
  const { buckets } = report
  const found = Array.isArray(buckets)
    ? buckets.map((bucket: unknown) => membersOf(bucket, bucketMembers))
    : buckets
  return membersOf({ ...report, buckets: found }, reportMembers)
}

export interface ToolRow {
  readonly name: string
  /** The verbs that it runs, by their words, such as `orders create`. */
  readonly verbs: readonly [string, ...string[]]
  /** Selects one of several verbs, by the word in which they differ: `list` of `orders list`. */
  readonly choice?: { readonly name: string; readonly summary: string; readonly default?: string }
  /** What it does to a session or to files: `adds` what was not there, `changes` what is. */
  readonly effect: 'reads' | 'adds' | 'changes'
  /** It calls a service, or starts one by a command. */
  readonly callsService?: true
  /** Instead of the summary of the verb. */
  readonly summary?: string
  /** Options that are always the same. */
  readonly fixed?: Readonly<Record<string, unknown>>
  /** Arguments and flags that it does not have, besides those that are for terminals. */
  readonly without?: readonly string[]
  /** The argument of the verb that names the session, where it has no `--control`. */
  readonly sessionArgument?: string
  /** No session is chosen for a call with this argument: it says what is read. */
  readonly insteadOfSession?: string
  /** A JSON document that the verb reads from stdin, instead of the file that this flag or argument names. */
  readonly document?: {
    readonly name: string
    readonly insteadOf: string
    readonly summary: string
  }
  /** Of output in lines only the last one counts; the others are progress. */
  readonly lastLineOnly?: true
  /** Moves what matters to the front, where a long result is cut. */
  readonly arrange?: (result: unknown) => unknown
}

const groupsOfEntities = [
  'accounts',
  'deliveries',
  'customers',
  'leads',
  'reviews',
  'loyalty',
  'coupons',
] as const

const entityChoice = { name: 'kind', summary: 'what kind of entity' } as const

const verbsOfEntities = (verb: string): readonly [string, ...string[]] => {
  const [first, ...others] = groupsOfEntities.map((group) => `${group} ${verb}`)
  return [first ?? verb, ...others]
}

export const toolRows: readonly ToolRow[] = [
  {
    name: 'session_start',
    verbs: ['up'],
    effect: 'adds',
    summary:
      'start a session: Sparring plays every partner of your service that --as and role leave to it, until session_stop; returns the addresses and credentials that your service needs',
    fixed: { quiet: true },
    without: ['all', 'watch'],
  },
  { name: 'session_status', verbs: ['status'], effect: 'reads' },
  { name: 'session_stop', verbs: ['stop'], effect: 'changes', sessionArgument: 'which' },
  { name: 'session_reset', verbs: ['reset'], effect: 'changes' },
  { name: 'orders_list', verbs: ['orders list'], effect: 'reads' },
  { name: 'orders_show', verbs: ['orders show'], effect: 'reads' },
  {
    name: 'orders_create',
    verbs: ['orders create'],
    effect: 'adds',
    document: {
      name: 'document',
      insteadOf: 'file',
      summary: 'an order document, whole or in part, instead of a description by arguments',
    },
  },
  { name: 'orders_menu', verbs: ['orders menu'], effect: 'reads' },
  { name: 'orders_move', verbs: ['orders move'], effect: 'changes' },
  {
    name: 'orders_cancel',
    verbs: ['orders cancel', 'orders cancel-item', 'orders answer-cancellation'],
    choice: { name: 'action', summary: 'what to do', default: 'cancel' },
    effect: 'changes',
    summary:
      'cancel an order as the customer or as the merchant, cancel a line of it, or answer a request to cancel it',
  },
  {
    name: 'entities_list',
    verbs: verbsOfEntities('list'),
    choice: entityChoice,
    effect: 'reads',
    summary: 'entities of a session other than orders, newest first',
  },
  {
    name: 'entities_show',
    verbs: verbsOfEntities('show'),
    choice: entityChoice,
    effect: 'reads',
    summary: 'one entity: its history and the transitions that are possible',
  },
  {
    name: 'entities_move',
    verbs: verbsOfEntities('move'),
    choice: entityChoice,
    effect: 'changes',
    summary: 'apply a transition to an entity, whichever role may make it',
  },
  { name: 'agenda_list', verbs: ['agenda list'], effect: 'reads' },
  { name: 'agenda_step', verbs: ['agenda step'], effect: 'changes' },
  {
    name: 'agenda_edit',
    verbs: [
      'agenda hold',
      'agenda release',
      'agenda drop',
      'agenda duplicate',
      'agenda delay',
      'agenda move',
      'agenda edit',
    ],
    choice: { name: 'action', summary: 'what to do with the item' },
    effect: 'changes',
    summary: 'edit scheduled actions: events that are due, retries, moves of the partners',
  },
  {
    name: 'agenda_clock',
    verbs: ['agenda run', 'agenda pause', 'agenda advance'],
    choice: { name: 'action', summary: 'what to do with the clock' },
    effect: 'changes',
    summary: 'start or pause the clock of a session, or advance it and run what becomes due',
  },
  { name: 'events_list', verbs: ['events list'], effect: 'reads' },
  { name: 'events_emit', verbs: ['events emit'], effect: 'adds' },
  { name: 'events_enable_webhooks', verbs: ['events enable-webhooks'], effect: 'changes' },
  { name: 'traffic_list', verbs: ['traffic list'], effect: 'reads' },
  { name: 'traffic_note', verbs: ['traffic note'], effect: 'changes' },
  { name: 'traffic_resend', verbs: ['traffic resend'], effect: 'adds', callsService: true },
  { name: 'faults_list', verbs: ['faults list'], effect: 'reads' },
  { name: 'faults_add', verbs: ['faults add'], effect: 'adds' },
  { name: 'faults_remove', verbs: ['faults remove'], effect: 'changes' },
  { name: 'faults_end', verbs: ['faults end'], effect: 'changes' },
  {
    name: 'faults_kinds',
    verbs: ['list'],
    effect: 'reads',
    summary: 'the kinds of faults with their options, for faults_add and the argument fault',
    fixed: { what: 'faults' },
    without: ['judged'],
  },
  { name: 'suggest', verbs: ['suggest'], effect: 'reads' },
  {
    name: 'verdicts',
    verbs: ['verdicts'],
    effect: 'reads',
    summary: 'what the rules say of your service: outcome, findings with evidence, clauses, remedy',
    arrange: ruleFailuresFirst,
  },
  { name: 'explain', verbs: ['explain'], effect: 'reads' },
  {
    name: 'clauses',
    verbs: ['list'],
    effect: 'reads',
    summary:
      'clauses of the protocol, by id (ORD-EVR-03), its beginning (ORD-EVR) or a word: text, source, whom it binds',
    fixed: { what: 'clauses' },
  },
  { name: 'catalogue', verbs: ['list'], effect: 'reads', summary: 'list one of the catalogues' },
  {
    name: 'docs',
    verbs: ['docs'],
    effect: 'reads',
    summary: 'a page, or all that has these words',
  },
  {
    name: 'run',
    verbs: ['run play'],
    summary: 'run scenarios against your service; verdicts by rule, with what to change',
    effect: 'adds',
    callsService: true,
    arrange: failuresFirst,
  },
  { name: 'report', verbs: ['report'], effect: 'adds', insteadOfSession: 'source' },
  {
    name: 'explore',
    verbs: ['explore search'],
    summary: 'search fault schedules for a broken rule, shrink it, keep it as a scenario',
    effect: 'adds',
    callsService: true,
    lastLineOnly: true,
    arrange: findingsOnly,
  },
  {
    name: 'explore_merge',
    verbs: ['explore merge'],
    effect: 'adds',
    lastLineOnly: true,
    arrange: findingsOnly,
  },
  {
    name: 'replay',
    verbs: ['replay'],
    effect: 'adds',
    callsService: true,
    // V1 is known by the recording, another dialect by the configuration.
    without: ['step', 'dialect'],
    arrange: differencesFirst,
  },
  {
    name: 'minimise',
    verbs: ['minimise'],
    effect: 'adds',
    callsService: true,
    without: ['dialect'],
  },
  {
    name: 'certify',
    verbs: ['certify service'],
    summary: 'check a service against every clause that binds its role, with evidence',
    effect: 'adds',
    callsService: true,
  },
  { name: 'certify_verify', verbs: ['certify verify'], effect: 'reads' },
  { name: 'diff', verbs: ['diff'], effect: 'reads', without: ['reporter'] },
  { name: 'import', verbs: ['import'], effect: 'adds' },
  { name: 'export', verbs: ['export'], effect: 'adds' },
  { name: 'init', verbs: ['init'], effect: 'adds' },
  {
    name: 'doctor',
    verbs: ['doctor'],
    effect: 'reads',
    callsService: true,
    summary:
      'check what a session needs: Node, ports, configuration, and your service, which is called as a session would: manifest, token, webhooks, clock; only on this machine, or on a host of sparring mcp --allow-target',
  },
  {
    name: 'schema',
    verbs: [
      'schema config',
      'schema scenario',
      'schema dialect',
      'schema recording',
      'schema openapi',
    ],
    choice: { name: 'of', summary: 'what is described' },
    effect: 'reads',
    summary:
      'schemas: configuration, scenario, dialect or a line of a recording as JSON Schema, the API of a role as OpenAPI',
  },
]

/** Verbs that are no tool, each with its reason. */
export const verbsWithoutTool: Readonly<Record<string, string>> = {
  'agent setup': 'it writes what starts the tools',
  attach: 'it is a screen for a person',
  completion: 'it is for shells',
  demo: 'session_start and run are what it shows',
  drift: 'it calls a partner on another machine, which a person decides',
  'events follow': 'it does not end; events_list has what it prints',
  mcp: 'it is what offers the tools',
  'run merge': 'the parts of a run come from many machines',
  record: 'it runs until it is stopped at its terminal',
}

const terminal = 'it is about a terminal'
const output = 'the tool sets what is printed'

/** Flags that are no argument of any tool, each with its reason. */
export const flagsWithoutArgument: Readonly<Record<string, string>> = {
  bisect: 'it is for git',
  control: 'the argument session names it',
  fsync: 'it is about the safety of a disk',
  glyphs: terminal,
  json: output,
  'keep-binary': 'binary bodies cannot be redacted',
  'no-color': terminal,
  'no-mouse': terminal,
  'no-pager': terminal,
  'no-watch': terminal,
  plain: terminal,
  quiet: output,
  'raw=unsafe': 'secrets and people stay redacted',
  'ready-file': 'session_start answers when it is ready',
  theme: terminal,
  token: 'it is a secret of sparring mcp',
  'view-token': 'it is a secret of the session',
}
