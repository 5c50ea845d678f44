/** A request that one of our hosts accepted, with what is needed to say that it is probably a mistake all the same. */
import type { CatalogueRow, OperationId } from '../../../protocol/catalogue.ts'
import { urlInDialect } from '../../../protocol/dialects/paths.ts'
import type { Fact } from '../../../engine/fact.ts'
import type { HandlerInput } from '../../../engine/handler.ts'
import type { Mistake } from '../mistake.ts'
import { setBounded } from '../../../engine/bounded.ts'
import type { Instant } from '../../../engine/instant.ts'

/** What a client did so far at one host, as far as a habit shows in it. */
export interface ClientHabits {
  polls: number
  lastPollAt: Instant | undefined
  /** Idle polls in a row that came too soon after the one before. */
  hastyPolls: number
  /** Polls that returned an event, by its id, until it is acknowledged; oldest first. */
  readonly returned: Map<string, number>
  tokens: number
  callsSinceToken: number
  /** Tokens in a row that were used for one call at most. */
  tokensForOneCall: number
  /** When each advice was reported last, by the name of its mistake. */
  readonly advisedAt: Map<string, Instant>
}

/** A pause between two polls that is shorter is called hasty: the default of tolerances.pollGap. */
export const hastyPauseMs = 500
const maxReturned = 5000

export const createClientHabits = (): ClientHabits => ({
  polls: 0,
  lastPollAt: undefined,
  hastyPolls: 0,
  returned: new Map(),
  tokens: 0,
  callsSinceToken: 0,
  tokensForOneCall: 0,
  advisedAt: new Map(),
})

/** A poll that returned these events; `at` is on the clock of the service. */
export function notePoll(habits: ClientHabits, eventIds: readonly string[], at: Instant): void {
  const isHasty = habits.lastPollAt !== undefined && at - habits.lastPollAt < hastyPauseMs
  habits.hastyPolls = isHasty && eventIds.length === 0 ? habits.hastyPolls + 1 : 0
  habits.lastPollAt = at
  habits.polls++
  for (const eventId of new Set(eventIds)) {
    const times = (habits.returned.get(eventId) ?? 0) + 1
    setBounded(habits.returned, eventId, times, maxReturned)
  }
}

/** An acknowledgment: what was acknowledged may come again, and is then returned for the first time. */
export function noteAcknowledgment(habits: ClientHabits, eventIds: readonly string[]): void {
  for (const eventId of eventIds) habits.returned.delete(eventId)
  habits.advisedAt.delete('never-acknowledged')
}

export function noteToken(habits: ClientHabits): void {
  const isForOneCall = habits.tokens > 0 && habits.callsSinceToken <= 1
  habits.tokensForOneCall = isForOneCall ? habits.tokensForOneCall + 1 : 0
  habits.tokens++
  habits.callsSinceToken = 0
}

export interface AnsweredRequest {
  readonly operation: OperationId
  readonly input: HandlerInput
  /** What the request led to; they are applied to the world. */
  readonly facts: readonly Fact[]
  /** With this request. */
  readonly habits: ClientHabits
}

/** A mistake that is no error by the protocol: the answer stays as it is, and the advice is for the log. */
export interface AcceptedMistake extends Mistake<AnsweredRequest> {
  /** Milliseconds until it is reported again while it goes on; `never` reports it once. */
  readonly againMs: number | 'never'
}

/** `1 event waits`, `3 events wait` */
export const eventsText = (count: number, verb = ''): string => {
  const one = count === 1
  return `${count} event${one ? '' : 's'}${verb === '' ? '' : ` ${verb}${one ? 's' : ''}`}`
}

/** The row of the operation that this host serves with a handler, and `POST http://127.0.0.1:7101/…` for it. */
export function servedCall(
  { host, origin, served, settings }: HandlerInput,
  handler: string,
): { readonly id?: OperationId; readonly text: string } {
  const row: CatalogueRow | undefined = served.find((each) => each.handler.name === handler)
  if (!row) return { text: origin }
  const url = urlInDialect(row, { role: host, base: origin }, settings.conduct)
  return { id: row.id, text: `${row.method} ${url}` }
}
