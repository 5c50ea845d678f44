/** Shows what came while the connection to the session was lost: journal entries and exchanges in the order of their times. */
import { clockOf } from '../../../core/engine/instant.ts'
import { pluralise } from '../../../core/protocol/count-text.ts'
import { shortRoleName } from '../../../core/protocol/role.ts'
import type { MissedChanges, SeqRange } from '../../../core/session-api/attachment.ts'
import type { JournalRow, SessionApi, TrafficRow } from '../../../core/session-api/session-api.ts'
import type { Message } from '../model/message.ts'

/** Rows of each list that are shown, the newest. */
const maxRows = 500

const countOf = ({ after, to }: SeqRange): number => Math.max(0, to - after)

/** The last rows of a range. */
const windowOf = ({ after, to }: SeqRange) => ({
  before: to + 1,
  limit: Math.min(maxRows, countOf({ after, to })),
})

const factText = ({ kind, text, orderId = '' }: JournalRow): string =>
  `${kind}  ${text}  ${orderId}`.trimEnd()

const exchangeText = ({ seq, from, to, method, path, status, failure }: TrafficRow): string =>
  `#${seq}  ${shortRoleName[from]} > ${shortRoleName[to]}  ${method} ${path}  ${failure ?? status}`

export async function showMissed(
  session: SessionApi,
  { facts, exchanges }: MissedChanges,
): Promise<readonly Message[]> {
  const { journal, traffic } = await session.look({
    journal: windowOf(facts),
    traffic: windowOf(exchanges),
  })
  const rows = [
    ...traffic
      .filter(({ seq }) => seq > exchanges.after)
      .map((row) => ({ at: Math.floor(row.endedAt), text: exchangeText(row) })),
    ...journal
      .filter(({ seq }) => seq > facts.after)
      .map((row) => ({ at: row.at, text: factText(row) })),
  ].toSorted((one, other) => one.at - other.at)
  const total = countOf(facts) + countOf(exchanges)
  const gone = total - rows.length
  const lines = rows.map(({ at, text }) => `${clockOf(at).slice(0, 12)}  ${text}`)
  return [
    {
      kind: 'shown',
      title: 'While disconnected',
      lines:
        gone > 0 ? [`${pluralise(gone, 'row')} before these, or no longer kept`, ...lines] : lines,
    },
  ]
}
