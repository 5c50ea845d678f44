/**
 * Formats log lines of `sparring up` without a dashboard: a line per relevant fact, and per exchange when it ends, all in
 * session time.
 */
import { clockOf, type Instant } from '../../core/engine/instant.ts'
import { shortRoleName } from '../../core/protocol/role.ts'
import type {
  ConfigurationNotice,
  JournalRow,
  SessionInfo,
  TrafficRow,
} from '../../core/session-api/session-api.ts'
import type { SessionChanges } from '../../core/runtime/control/follow.ts'
import { escapeControls } from '../../core/traffic/escape-controls.ts'
import { isWithService } from '../../core/views/traffic-filter.ts'
import { pluralise } from '../../core/protocol/count-text.ts'

/**
 * The log's sentences about contact with the user's service: each once, and again only when it has changed. Further
 * failed calls to a service that does not answer are not logged, nor is a manifest read again with the same status.
 */
interface ContactLog {
  /** The sentences to log after an exchange; `nothing` suppresses the exchange itself too. */
  readonly about: (row: TrafficRow, info: SessionInfo) => readonly string[] | 'nothing'
  /** Whether the service did not answer the last call. */
  readonly isUnreachable: () => boolean
  /** Sentences about the state of the contact that were not logged yet. */
  readonly changes: (info: SessionInfo) => readonly string[]
}

/** No connection or no reply, and not caused by an injected fault. */
const isUnanswered = ({ status, failure, fault }: TrafficRow): boolean =>
  status === 0 && failure !== undefined && fault === undefined

function createContactLog(): ContactLog {
  let failed = 0
  let manifestStatus: number | undefined
  let isConnected = false
  let notices: readonly string[] = []
  return {
    isUnreachable: () => failed > 0,
    about(row, { subject }) {
      if (!row.subject || row.to !== subject?.role) return []
      if (isUnanswered(row)) {
        failed++
        if (failed > 1) return 'nothing'
        return [
          'calls to your service without an answer are left out from here on, until it answers again',
        ]
      }
      if (row.operation === 'getManifest') {
        const isRepeated = manifestStatus === row.status
        manifestStatus = row.status
        if (isRepeated && failed === 0) return 'nothing'
      }
      if (row.status === 0 || failed === 0) return []
      const sentence = `your service answers now; ${pluralise(failed, 'call')} had no answer`
      failed = 0
      return [sentence]
    },
    changes({ contact }) {
      const fresh = (contact?.notices ?? []).filter((notice) => !notices.includes(notice))
      notices = contact?.notices ?? []
      const by = isConnected ? undefined : contact?.connected?.by
      isConnected ||= by !== undefined
      return [...fresh, ...(by === undefined ? [] : [`Your service has connected: ${by}.`])]
    },
  }
}

/** Kinds of facts that are logged; the others duplicate an exchange or are bookkeeping. */
const loggedKinds: readonly RegExp[] = [
  // The notice about the configuration file names changed settings.
  /^session\.(?!configured$)/,
  /^order\.(created|moved|lapsed)$/,
  /^cancellation\./,
  /^item\.cancelled$/,
  /^event\.(emitted|push-failed|given-up)$/,
  /^ticket\.(refused|stuck|event-forbidden)$/,
  /^(table\.differs|call\.unreadable)$/,
  /^partner\./,
  /^reward\.cost-missing$/,
  /^agenda\.(refused|held|released|dropped|delayed|moved|edited)$/,
  /^fault\.(added|removed|ended)$/,
]

const orderPart = (orderId: string | undefined): string =>
  orderId === undefined ? '' : `  ${escapeControls(orderId)}`

const red = (text: string): string => `\u001b[31m${text}\u001b[39m`

export function exchangeLine(row: TrafficRow, color: boolean, toward: '>' | 'to' = '>'): string {
  const {
    endedAt,
    from,
    to,
    method,
    path,
    status,
    failure,
    tookMs,
    event,
    orderId,
    fault,
    resendOf,
  } = row
  const outcome = failure ?? String(status)
  return [
    clockOf(endedAt),
    `${shortRoleName[from]} ${toward} ${shortRoleName[to]}`.padEnd(8),
    escapeControls(`${method} ${path}`),
    color && row.failed ? red(outcome) : outcome,
    `${Math.round(tookMs)}ms`,
    ...(event === undefined ? [] : [escapeControls(event)]),
    ...(orderId === undefined ? [] : [escapeControls(orderId)]),
    ...(resendOf === undefined ? [] : [`#${resendOf} sent again by hand`]),
    ...(fault === undefined ? [] : [`by ${escapeControls(fault)}`]),
    ...[row.reason, row.advice, row.note && `note: ${row.note}`].flatMap((text) =>
      text === undefined ? [] : escapeControls(text),
    ),
  ].join('  ')
}

const factLine = ({ at, kind, text, orderId }: JournalRow): string =>
  `${clockOf(at)}  ${kind.padEnd(8)}  ${escapeControls(text)}${orderPart(orderId)}`

const subjectLine = (at: number, sentence: string): string =>
  `${clockOf(at)}  ${'service'.padEnd(8)}  ${escapeControls(sentence)}`

export interface SessionLogFormatter {
  readonly lines: (news: SessionChanges, color: boolean) => readonly string[]
  /** Session time of the last line; undefined before the first. */
  readonly lastAt: () => Instant | undefined
}

export interface SessionLogOptions {
  /** Words in place of signs, for output that is read aloud. */
  readonly words?: boolean
  /** Log the traffic between the roles that we play as well, where there is a service of the user's. */
  readonly all?: boolean | undefined
}

/**
 * Facts that another line already reports: the manifest, and webhooks without an answer, by the sentences about
 * contact.
 */
const isLoggedElsewhere = ({ kind, subject }: JournalRow, isUnreachable: boolean): boolean =>
  subject === true &&
  (kind.startsWith('partner.') || (kind === 'event.push-failed' && isUnreachable))

/** Formats changes as lines for people. Stateful: it counts fault hits and failed calls to suppress repeats. */
export function createSessionLogFormatter({
  all,
  words,
}: SessionLogOptions = {}): SessionLogFormatter {
  const faults = createFaultHitSummary()
  const contact = createContactLog()
  const isNewRejection = createRejectionFilter()
  const freshNotices = createFreshNotices()
  let lastAt: Instant | undefined

  function factLines(row: JournalRow): readonly string[] {
    if (row.kind === 'fault.fired') {
      const text = faults.lineFor(row)
      return text === undefined ? [] : [factLine({ ...row, text })]
    }
    if (!isNewRejection(row) || !loggedKinds.some((kinds) => kinds.test(row.kind))) return []
    return isLoggedElsewhere(row, contact.isUnreachable()) ? [] : [factLine(row)]
  }

  function exchangeLines(row: TrafficRow, info: SessionInfo, color: boolean): readonly string[] {
    const sentences = row.resendOf === undefined ? contact.about(row, info) : []
    if (sentences === 'nothing') return []
    const at = Math.floor(row.endedAt)
    return [
      exchangeLine(row, color, words === true ? 'to' : '>'),
      ...sentences.map((sentence) => subjectLine(at, sentence)),
    ]
  }

  function linesOf(
    { facts, exchanges, missed, info }: SessionChanges,
    color: boolean,
  ): readonly string[] {
    const everything = all === true || info.subject === undefined
    // An exchange comes before the facts that it led to.
    const entries = [
      ...exchanges
        .filter((row) => row.idle !== true && (everything || isWithService(row)))
        .map((row) => ({
          at: Math.floor(row.endedAt),
          lines: () => exchangeLines(row, info, color),
        })),
      ...facts
        .filter(({ subject }) => everything || subject === true)
        .map((row) => ({ at: row.at, lines: () => factLines(row) })),
    ].sort((a, b) => a.at - b.at)
    const { now } = info.clock
    const shown = [
      ...entries.flatMap(({ at, lines }) => lines().map((line) => ({ at, line }))),
      ...freshNotices(info).map(({ at, text }) => ({
        at,
        line: `${clockOf(at)}  ${escapeControls(text)}`,
      })),
      ...contact.changes(info).map((text) => ({ at: now, line: subjectLine(now, text) })),
    ]
    lastAt = shown.at(-1)?.at ?? lastAt
    return [
      ...(missed > 0
        ? [`(${missed} journal entries were dropped before they could be written)`]
        : []),
      ...shown.map(({ line }) => line),
    ]
  }

  return { lines: linesOf, lastAt: () => lastAt }
}

/** Facts that come again and again while their cause lasts. */
const repeatedKinds: ReadonlySet<string> = new Set(['partner.rejected', 'call.unreadable'])

/**
 * A counterpart without a valid manifest is asked for one again and again, and so is one whose answers cannot be read:
 * it is said once, until the reason changes. An order that was refused for such an answer is said with it.
 */
function createRejectionFilter(): (row: JournalRow) => boolean {
  const rejected = new Set<string>()
  let unreadable: JournalRow | undefined
  return (row) => {
    const { kind, text } = row
    if (kind === 'partner.accepted' || kind === 'partner.restored') rejected.clear()
    if (kind === 'call.unreadable') unreadable = row
    if (kind === 'ticket.refused' && unreadable?.at === row.at)
      return unreadable.orderId !== row.orderId
    if (!repeatedKinds.has(kind)) return true
    const isNew = !rejected.has(text)
    rejected.add(text)
    return isNew
  }
}

/** The changes as NDJSON, unfiltered: each line is `{"fact": …}`, `{"exchange": …}` or `{"configuration": …}`. */
export function createSessionNdjson(): (news: SessionChanges) => readonly string[] {
  const fresh = createFreshNotices()
  return ({ facts, exchanges, missed, info }) => [
    ...(missed > 0 ? [JSON.stringify({ missed: { facts: missed } })] : []),
    ...facts.map((fact) => JSON.stringify({ fact })),
    ...exchanges.map((exchange) => JSON.stringify({ exchange })),
    ...fresh(info).map((configuration) => JSON.stringify({ configuration })),
  ]
}

/** The notices about the configuration file that were not returned before. */
function createFreshNotices(): (info: SessionInfo) => readonly ConfigurationNotice[] {
  let last = 0
  return ({ configuration = [] }) => {
    const fresh = configuration.filter(({ seq }) => seq > last)
    last = configuration.at(-1)?.seq ?? last
    return fresh
  }
}

/** Hits of one fault that are logged one by one. */
const maxLoggedHits = 3

/** Rate-limits the log lines of fault hits: the first hits one by one, then only counts at 10, 20, 50, 100 … */
interface FaultHitSummary {
  /** The log line of a hit; undefined when it is only counted. */
  readonly lineFor: (row: JournalRow) => string | undefined
}

/** The name is the first word: `drop on ev(o1,CONFIRMED,webhook)`. */
const nameIn = (text: string): string => text.split(' ')[0] ?? text

const isRound = (count: number): boolean => /^[125]0+$/.test(String(count))

function createFaultHitSummary(): FaultHitSummary {
  const counts = new Map<string, number>()
  return {
    lineFor({ text }) {
      const name = nameIn(text)
      const count = (counts.get(name) ?? 0) + 1
      counts.set(name, count)
      if (count < maxLoggedHits) return text
      if (count === maxLoggedHits) return `${text}; from now on it is counted`
      return isRound(count) ? `${name} has fired ${count} times` : undefined
    },
  }
}
