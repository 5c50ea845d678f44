/** What `up` writes where there is no screen: a line per exchange and per fact of interest. */
import { clockOf } from '../engine/instant.ts'
import { shortName } from '../protocol/role.ts'
import type { JournalRow, SessionInfo, TrafficRow } from '../session-face.ts'
import type { News } from '../edge/control/follow.ts'
import { plain } from './table.ts'

/** Kinds of facts that tell a story of their own; the others stand behind an exchange, or are bookkeeping. */
const telling: readonly RegExp[] = [
  /^session\./,
  /^order\.(created|moved|lapsed)$/,
  /^cancellation\./,
  /^item\.cancelled$/,
  /^event\.(emitted|push-failed|given-up)$/,
  /^ticket\.(refused|stuck|event-forbidden)$/,
  /^partner\./,
  /^agenda\.(refused|held|released|dropped|delayed|moved|edited)$/,
]

const orderPart = (orderId: string | undefined): string =>
  orderId === undefined ? '' : `  ${plain(orderId)}`

const red = (text: string): string => `\u001b[31m${text}\u001b[39m`

function exchangeLine(row: TrafficRow, color: boolean): string {
  const { startedAt, from, to, method, path, status, failure, tookMs, orderId } = row
  const outcome = failure ?? String(status)
  const wrong = failure !== undefined || status >= 400
  return [
    clockOf(Math.floor(startedAt)),
    `${shortName[from]} > ${shortName[to]}`.padEnd(8),
    plain(`${method} ${path}`),
    color && wrong ? red(outcome) : outcome,
    `${Math.round(tookMs)}ms${orderPart(orderId)}`,
  ].join('  ')
}

const factLine = ({ at, kind, text, orderId }: JournalRow): string =>
  `${clockOf(at)}  ${kind.padEnd(8)}  ${plain(text)}${orderPart(orderId)}`

/** Only the real clock at its own speed can be compared with the wall, which exchanges are timed by. */
const onTheWall = ({ clock }: SessionInfo): boolean => clock.mode === 'real' && clock.speed === 1

/** The news as lines for people. */
export function newsLines(
  { facts, exchanges, missed, info }: News,
  color: boolean,
): readonly string[] {
  const told = facts.filter(({ kind }) => telling.some((kinds) => kinds.test(kind)))
  const lines = [
    ...told.map((row) => ({ at: row.at, line: factLine(row) })),
    ...exchanges
      .filter(({ idle }) => idle !== true)
      .map((row) => ({ at: row.startedAt, line: exchangeLine(row, color) })),
  ]
  if (onTheWall(info)) lines.sort((a, b) => a.at - b.at)
  return [
    ...(missed > 0 ? [`(${missed} facts were forgotten before they could be written)`] : []),
    ...lines.map(({ line }) => line),
  ]
}

/** The news as NDJSON: everything, each line `{"fact": …}` or `{"exchange": …}`. */
export const newsJson = ({ facts, exchanges, missed }: News): readonly string[] => [
  ...(missed > 0 ? [JSON.stringify({ missed: { facts: missed } })] : []),
  ...facts.map((fact) => JSON.stringify({ fact })),
  ...exchanges.map((exchange) => JSON.stringify({ exchange })),
]
