/** Sequence diagrams, drawn as SVG: a lifeline for each party, an arrow for each call and one back for its reply. */
import { clockOf } from '../../../core/engine/instant.ts'
import { shortened } from '../../../core/protocol/count-text.ts'
import { endOf, type Exchange, type Party, wallDurationMs } from '../../../core/traffic/exchange.ts'
import { isPollCall } from '../../../core/traffic/polling.ts'
import { htmlText } from '../html-text.ts'
import {
  operationOrPath,
  elapsedText,
  endText,
  eventTypesText,
  exchangeNotes,
  exchangeTitle,
  hasFailed,
  isLateReply,
  partyKey,
  partyNames,
} from './exchange-text.ts'
import { type FoldedExchange, idlePollsText } from './fold-polls.ts'

const [firstLane, laneGap, top, rowHeight] = [150, 300, 56, 30]
/** Characters of a label that fit between two lifelines. */
const labelChars = 46

export interface SequenceOptions {
  /** The address of an exchange on the page; undefined for one that is not on it. */
  readonly hrefOf: (seq: number) => string | undefined
  /** The id of the arrow of an exchange, for links to it. */
  readonly idOf?: (seq: number) => string
  /** What is written before a call: the slot of its order. */
  readonly labelOf?: (exchange: Exchange) => string | undefined
  /** What the diagram shows, for who cannot see it. */
  readonly about: string
}

/** The parties of these exchanges: hosts of orders first, then in the order in which they appear. */
export function lanesOf(exchanges: readonly Exchange[]): readonly Party[] {
  const parties = new Map<string, Party>()
  for (const { from, to } of exchanges)
    for (const party of [from, to]) parties.set(partyKey(party), party)
  const isHost = ({ role }: Party): number => (role === 'ordering-application' ? 0 : 1)
  return [...parties.values()].toSorted((one, other) => isHost(one) - isHost(other))
}

/** One arrow of a diagram: a call with its reply, or one of the two where something else happens between. */
export interface SequenceRow {
  readonly folded: FoldedExchange
  readonly part: 'whole' | 'call' | 'reply'
  readonly at: number
}

/** The rows of a diagram in the order of time. A reply has a row of its own where other arrows lie before it. */
export function sequenceRows(exchanges: readonly FoldedExchange[]): readonly SequenceRow[] {
  const ends = exchanges.flatMap((folded) => [
    { folded, isEnd: false, at: folded.exchange.startedAt },
    { folded, isEnd: true, at: endOf(folded.exchange) },
  ])
  ends.sort(
    (one, other) =>
      one.at - other.at ||
      one.folded.exchange.seq - other.folded.exchange.seq ||
      Number(one.isEnd) - Number(other.isEnd),
  )
  const rows: SequenceRow[] = []
  for (const [index, { folded, isEnd, at }] of ends.entries()) {
    const isWhole = folded.times > 1 || ends[index + 1]?.folded === folded
    if (!isEnd) rows.push({ folded, part: isWhole ? 'whole' : 'call', at })
    else if (folded.times === 1 && ends[index - 1]?.folded !== folded)
      rows.push({ folded, part: 'reply', at })
  }
  return rows
}

const styleOf = (exchange: Exchange): string =>
  hasFailed(exchange)
    ? 'bad'
    : exchange.fault !== undefined || isLateReply(exchange) || exchange.advice !== undefined
      ? 'odd'
      : exchange.from.party === 'subject'
        ? 'call'
        : 'event'

function labelFor({ folded, part }: SequenceRow, { labelOf }: SequenceOptions): string {
  const { exchange, times } = folded
  if (times > 1) return idlePollsText(folded)
  const late = isLateReply(exchange) ? `, ${elapsedText(wallDurationMs(exchange))}` : ''
  const end = `${endText(exchange)}${late}`
  const types = eventTypesText(exchange)
  // A poll brings its events with the reply, a webhook with the call.
  const isBrought = isPollCall(exchange) ? part !== 'call' : part !== 'reply'
  const events = types === '' || !isBrought ? '' : ` ${types}`
  if (part === 'reply') return `#${exchange.seq} ${end}${events}`
  const of = labelOf?.(exchange)
  const call = `#${exchange.seq} ${of === undefined ? '' : `${of} `}${operationOrPath(exchange)}`
  return `${part === 'call' ? call : `${call} ${end}`}${events}`
}

function rowSvg(
  row: SequenceRow,
  index: number,
  lanes: ReadonlyMap<string, number>,
  options: SequenceOptions,
) {
  const { folded, part, at } = row
  const { exchange } = folded
  const y = top + index * rowHeight
  const [from, to] = part === 'reply' ? [exchange.to, exchange.from] : [exchange.from, exchange.to]
  const x1 = lanes.get(partyKey(from)) ?? firstLane
  const x2 = lanes.get(partyKey(to)) ?? firstLane
  const notes = part === 'call' ? [] : exchangeNotes(exchange)
  const label = shortened(labelFor(row, options), labelChars)
  const middle = (x1 + x2) / 2
  const arrow =
    x1 === x2
      ? `<path d="M${x1} ${y - 6}h26v8h-22" fill="none" marker-end="url(#head)"/>`
      : `<line class="hit" x1="${x1}" y1="${y}" x2="${x2}" y2="${y}"/><line${part === 'reply' ? ' class="back"' : ''} x1="${x1}" y1="${y}" x2="${x2}" y2="${y}" marker-end="url(#head)"/>`
  const note =
    notes.length > 0
      ? `<text class="note" x="${middle}" y="${y + 12}" text-anchor="middle">${htmlText(shortened(notes.join('; '), labelChars))}</text>`
      : ''
  const title = htmlText([exchangeTitle(exchange), ...notes].join('\n'))
  const href = options.hrefOf(exchange.seq)
  const content = `<g class="arrow ${styleOf(exchange)}"><title>${title}</title>${arrow}<text x="${middle}" y="${y - 4}" text-anchor="middle">${htmlText(label)}</text>${note}</g>`
  const linked =
    href === undefined ? content : `<a href="#${href}" data-of="${href}">${content}</a>`
  const id = part === 'reply' ? undefined : options.idOf?.(exchange.seq)
  const group = id === undefined ? linked : `<g id="${id}">${linked}</g>`
  return `<text class="clock" x="4" y="${y + 3}">${clockOf(at)}</text>${group}`
}

/** The diagram of these exchanges; an empty text for none. The arrow head is a marker of the page, `diagramMarkers`. */
export function sequenceDiagram(
  exchanges: readonly FoldedExchange[],
  options: SequenceOptions,
): string {
  const rows = sequenceRows(exchanges)
  if (rows.length === 0) return ''
  const parties = lanesOf(exchanges.map(({ exchange }) => exchange))
  const lanes = new Map(
    parties.map((party, index) => [partyKey(party), firstLane + index * laneGap]),
  )
  const width = firstLane + (parties.length - 1) * laneGap + 110
  const height = top + rows.length * rowHeight + 10
  const lifelines = parties.map((party) => {
    const x = lanes.get(partyKey(party)) ?? 0
    const [role, player] = partyNames(party)
    return `<line x1="${x}" x2="${x}" y1="36" y2="${height}"/><text class="side" x="${x}" y="14" text-anchor="middle">${htmlText(role)}</text><text x="${x}" y="28" text-anchor="middle">${htmlText(player)}</text>`
  })
  return `<div class="scroll"><svg class="diagram" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="group" aria-label="${htmlText(options.about)}">${lifelines.join('')}${rows.map((row, index) => rowSvg(row, index, lanes, options)).join('')}</svg></div>`
}

/** The arrow heads of all diagrams of a page. */
export const diagramMarkers =
  '<svg class="markers" width="0" height="0" aria-hidden="true"><defs><marker id="head" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" markerHeight="8" orient="auto"><path d="M0 0L8 4L0 8Z" fill="context-stroke"/></marker></defs></svg>'
