/**
 * Traffic that no service is to blame for: what fails while it restarts, as it was asked to, and what is sent with a token
 * that the restart has ended.
 */
import { endOf, type Exchange, headerValue } from '../../traffic/exchange.ts'

/** What is needed of a trace. */
interface RestartedTrace {
  readonly exchanges: readonly Exchange[]
  readonly steps: Readonly<Record<number, string>>
  readonly notes: readonly { readonly name: string; readonly after: number }[]
}

/** Notes of a restart: since when, and when it had answered again. */
export const restarts = 'restarts'
export const answersAgain = 'answers-again'
/** Notes of a new beginning: whenever our manifests are of another use. */
export const beginsAnew = 'begins-anew'

/** From the restart of a service, by the numbers of exchanges, until our manifests are good again. */
export function newBeginnings({ notes }: Pick<RestartedTrace, 'notes'>) {
  const all = notes.filter(({ name }) => name === beginsAnew).map(({ after }) => after)
  const [from] = all
  return from === undefined ? [] : [{ from, to: Math.max(...all) }]
}

interface Restart {
  /** Instant, and numbers of the exchanges before it and of its end. */
  readonly at: number
  readonly from: number
  readonly to: number
}

function restartsIn({ exchanges, notes }: RestartedTrace): readonly Restart[] {
  const ends = notes.filter(({ name }) => name === answersAgain)
  return notes
    .filter(({ name }) => name === restarts)
    .flatMap(({ after: from }) => {
      const to = ends.find(({ after }) => after >= from)?.after
      const last = exchanges.findLast(({ seq }) => seq <= from)
      return to === undefined ? [] : [{ from, to, at: last ? endOf(last) : 0 }]
    })
}

/** Cut off, or not answered, or answered by what stands before a service that is not there. */
const isLost = ({ to, reply, failure }: Exchange): boolean =>
  failure !== undefined || reply === undefined || (to.party === 'subject' && reply.status >= 500)

/** The service has issued a token to the sender since the restart. */
const isTokenRenewed = (
  { exchanges }: RestartedTrace,
  { from }: Restart,
  { seq, from: sender }: Exchange,
): boolean =>
  exchanges.some(
    (each) =>
      each.operation === 'issueToken' &&
      each.from.role === sender.role &&
      each.reply?.status === 200 &&
      each.seq > from &&
      each.seq < seq,
  )

/** Whether an exchange belongs to a restart that was asked for. */
export function ofRestarts(trace: RestartedTrace): (exchange: Exchange) => boolean {
  const all = restartsIn(trace)
  if (all.length === 0) return () => false
  const isDuring = (exchange: Exchange) => (restart: Restart) =>
    exchange.seq <= restart.to && endOf(exchange) >= restart.at && isLost(exchange)
  const hasOldToken = (exchange: Exchange) => (restart: Restart) =>
    exchange.seq > restart.from &&
    exchange.reply?.status === 401 &&
    exchange.from.party === 'sparring' &&
    trace.steps[exchange.seq] === undefined &&
    headerValue(exchange.request.headers, 'authorization') !== undefined &&
    !isTokenRenewed(trace, restart, exchange)
  return (exchange) => all.some(isDuring(exchange)) || all.some(hasOldToken(exchange))
}
