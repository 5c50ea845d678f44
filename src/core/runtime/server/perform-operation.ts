/** Performs an operation: runs its view or submits its command, composes the reply, and asks for advice on the request. */
import type { Adviser } from '../../rules/diagnosis/answered/adviser.ts'
import type { Engine } from '../../engine/engine.ts'
import type { Fact } from '../../engine/fact.ts'
import type { HandlerAnswer, HandlerInput } from '../../engine/handler.ts'
import { handlerOf } from '../../engine/handlers.ts'
import type { Instant } from '../../engine/instant.ts'
import type { FactOrigin } from '../../engine/journal.ts'
import type { Refusal } from '../../engine/refusal.ts'
import type { CatalogueRow } from '../../protocol/catalogue.ts'
import type { UnmetRequirement } from '../../protocol/partner-requirements/catalogue.ts'
import { ok, type Result } from '../../protocol/result.ts'
import type { HostReplies } from './host-replies.ts'
import type { OutgoingReply } from './messages.ts'

export interface PerformerOptions {
  readonly engine: Engine
  readonly replies: HostReplies
  readonly adviser: Adviser
  /** Current time on the subject's clock. */
  readonly subjectNow: () => Instant
}

export interface PerformedRequest {
  readonly row: CatalogueRow
  readonly input: HandlerInput
  readonly by: FactOrigin
  /** The partner requirements that the request does not meet. */
  readonly unmet: () => readonly UnmetRequirement[]
}

interface Performed {
  readonly answer: HandlerAnswer
  readonly facts: readonly Fact[]
}

const noFacts: readonly Fact[] = []

export function createPerformer({ engine, replies, adviser, subjectNow }: PerformerOptions) {
  function perform({ row, input, by }: PerformedRequest): Result<Performed, Refusal> {
    const handler = handlerOf(row.handler.name)
    if (handler.kind === 'view') {
      const view = handler.view(input)
      return view.ok ? ok({ answer: view.value, facts: noFacts }) : view
    }
    const command = handler.command(input)
    if (!command.ok) return command
    const decision = engine.submit(command.value, by)
    if (!decision.ok) return decision
    const facts = decision.value
    return ok({ answer: handler.answer?.(facts, input) ?? {}, facts })
  }

  return (request: PerformedRequest): OutgoingReply => {
    const performed = perform(request)
    if (!performed.ok) return replies.refusal(performed.error)
    const { row, input, unmet } = request
    const { answer, facts } = performed.value
    const reply = replies.success(row, answer)
    const advice = adviser.advise({ operation: row.id, input, facts, unmet }, subjectNow())
    return advice === undefined ? reply : { ...reply, advice }
  }
}
