/** A request that one of our hosts accepted, with what is needed to say that it is probably a mistake all the same. */
import type { OperationId } from '../../../protocol/catalogue.ts'
import type { Fact } from '../../../engine/fact.ts'
import type { HandlerInput } from '../../../engine/handler.ts'
import type { Mistake } from '../mistake.ts'
import type { ClientHabits } from './client-habits.ts'

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
