/** The panes as sentences in reading order, for screen readers: words in place of columns, glyphs and colours. */
import { clockOf } from '../../../core/engine/instant.ts'
import { shortRoleName } from '../../../core/protocol/role.ts'
import type {
  AgendaRow,
  JournalRow,
  OrderRow,
  TrafficRow,
} from '../../../core/session-api/session-api.ts'
import type { PlaybackViewRow } from '../../../core/session-api/playback.ts'
import { failedRulesOfExchange, failedRulesOfOrder, ruleIdsText } from '../model/failed-rules.ts'
import { focusOf, type Model, tabNames } from '../model/model.ts'
import { chosenPlace } from '../model/recording.ts'
import { partyText } from '../view/panes/pane.ts'
import { ageText } from '../view/text/time.ts'

/** Rows that one answer has; more of them are heard too long. */
const maxRows = 20

/** Parts of a sentence; those that are empty are left out. */
const sentence = (...parts: readonly (string | undefined)[]): string =>
  parts.filter((part) => part !== undefined && part !== '').join(', ')

const failedText = (rules: Parameters<typeof ruleIdsText>[0]): string =>
  rules.length === 0 ? '' : `failed ${ruleIdsText(rules)}`

const orderSentence = (model: Model, row: OrderRow): string =>
  sentence(
    `order ${row.slot ?? row.orderId}`,
    `number ${row.displayId}`,
    row.profile,
    row.status,
    row.merchant,
    row.amount,
    row.cancellation && `cancellation ${row.cancellation}`,
    failedText(failedRulesOfOrder(model, row.orderId)),
    row.orderId === model.orderId ? 'chosen' : '',
  )

/** The chosen order; nothing while its row is not loaded. */
export const chosenOrderSentence = (model: Model): readonly string[] =>
  (model.snapshot?.orders ?? [])
    .filter(({ orderId }) => orderId === model.orderId)
    .map((row) => orderSentence(model, row))

const trafficSentence = (model: Model, row: TrafficRow): string =>
  sentence(
    `exchange ${row.seq}`,
    clockOf(row.endedAt),
    `${shortRoleName[row.from]} to ${shortRoleName[row.to]}`,
    `${row.method} ${row.path}`,
    row.event,
    row.failure ?? String(row.status),
    `${Math.round(row.tookMs)} ms`,
    row.failed ? 'failed request' : '',
    row.reason,
    row.advice,
    row.note && `note: ${row.note}`,
    row.fault && `by fault ${row.fault}`,
    failedText(failedRulesOfExchange(model, row.seq)),
  )

const factSentence = (row: JournalRow): string =>
  sentence(`fact ${row.seq}`, clockOf(row.at), row.text, `by ${partyText(row.by)}`, row.orderId)

function itemSentence({ snapshot }: Model, row: AgendaRow): string {
  const now = snapshot?.info.clock.now ?? row.due
  const due = row.due <= now ? 'due now' : `due in ${ageText(row.due - now)}`
  return sentence(
    `item ${row.id}`,
    row.text,
    row.held ? 'held' : due,
    row.waits && `waits for ${row.waits}`,
    row.effect,
    row.copyOf === undefined ? '' : `copy of ${row.copyOf}`,
    row.edited ? 'edited' : '',
    row.fault && `by fault ${row.fault}`,
  )
}

const recordedSentence = (row: PlaybackViewRow, current: number): string =>
  sentence(
    `exchange ${row.seq}`,
    clockOf(row.startedAt),
    `${shortRoleName[row.from]} to ${shortRoleName[row.to]}`,
    row.text,
    row.status === 0 ? 'no reply' : String(row.status),
    row.standing,
    row.edited ? 'edited' : '',
    row.mark === undefined ? '' : `bookmark ${row.mark}`.trim(),
    row.place === current ? 'this is the place' : '',
  )

interface PaneSentences {
  readonly title: string
  readonly rows: readonly string[]
  /** Where the rows that are read begin: the newest are last in a log, and first in a list. */
  readonly newest: 'first' | 'last'
}

function ordersPane(model: Model): PaneSentences {
  const { snapshot, tab } = model
  const title = tabNames[tab][0]
  if (tab !== 'order')
    return {
      title,
      newest: 'first',
      rows: (snapshot?.entities ?? [])
        .filter(({ kind }) => kind === tab)
        .map(({ label, text, id }) => sentence(label, text, id)),
    }
  const recorded = snapshot?.playback?.orders.map(({ orderId, status, text }) =>
    sentence(
      `order ${orderId}`,
      status,
      `last: ${text}`,
      orderId === model.orderId ? 'chosen' : '',
    ),
  )
  const live = snapshot?.orders.map((row) => orderSentence(model, row))
  return { title, newest: 'first', rows: recorded ?? live ?? [] }
}

function trafficPane(model: Model): PaneSentences {
  const { snapshot } = model
  const { playback } = snapshot ?? {}
  if (!playback)
    return {
      title: 'Traffic',
      newest: 'last',
      rows: (snapshot?.traffic ?? []).map((row) => trafficSentence(model, row)),
    }
  const place = chosenPlace(model)
  const from = playback.rows.findIndex((row) => row.place >= place)
  return {
    title: `Recording ${playback.recording}, ${playback.total} exchanges`,
    newest: 'first',
    rows: playback.rows
      .slice(Math.max(0, from - maxRows / 2))
      .map((row) => recordedSentence(row, place)),
  }
}

function paneOf(model: Model): PaneSentences {
  const { snapshot } = model
  switch (focusOf(model)) {
    case 'traffic':
      return trafficPane(model)
    case 'facts':
      return { title: 'Facts', newest: 'last', rows: (snapshot?.journal ?? []).map(factSentence) }
    case 'agenda':
      return {
        title: 'Agenda, what is due first',
        newest: 'first',
        rows: (snapshot?.agenda ?? []).map((row) => itemSentence(model, row)),
      }
    default:
      return ordersPane(model)
  }
}

/** The focused pane as lines. */
export function paneSentences(model: Model): readonly string[] {
  const { title, rows, newest } = paneOf(model)
  const shown = newest === 'last' ? rows.slice(-maxRows) : rows.slice(0, maxRows)
  const rest = rows.length - shown.length
  return [
    `${title}: ${rows.length === 0 ? 'none' : rest > 0 ? `${shown.length} of ${rows.length} or more` : rows.length}`,
    ...shown,
  ]
}

/** The session as sentences: what the header shows. */
export function statusSentences({ snapshot, at }: Model): readonly string[] {
  if (!snapshot) return ['The session has not been seen yet.']
  const { info, verdicts } = snapshot
  const { clock, counts, subject, counterparts, recording } = info
  const failed = verdicts.filter(({ outcome }) => outcome === 'failed').map(({ id }) => id)
  return [
    `Clock ${clock.mode === 'stepped' ? 'paused' : `${clock.mode}, speed ${clock.speed}`}, ${clockOf(clock.now)}${at === undefined ? '' : `, the past is shown: fact ${at}`}.`,
    `${counts.orders} orders, ${counts.open} open; ${counts.exchanges} exchanges; ${counts.pending} items pending, ${counts.held} held.`,
    ...counterparts.map(({ role, url }) => `${role} is played at ${url}`),
    subject === undefined
      ? 'No service of yours takes part.'
      : `Your service is the ${subject.role}${subject.url === undefined ? '' : ` at ${subject.url}`}.`,
    failed.length === 0 ? 'No rule has failed.' : `Rules that failed: ${failed.join(' ')}.`,
    recording === undefined ? 'Nothing is recorded.' : `Recorded to ${recording.file}.`,
  ]
}
