/** The generic reader of an answer: a row for each operation says what its call is about, and which facts follow. */
import type { DecisionContext } from '../decision.ts'
import type { Fact } from '../fact.ts'
import { type CallOutcome, isSuccess, outcomeText, type OutgoingCall, willRetry } from './call.ts'
import type { AnswerReader } from './place-call.ts'

/** Why a call had no success. */
export const failureReason = (outcome: CallOutcome): string =>
  outcome.kind === 'failed' ? outcome.message : `answered ${outcomeText(outcome)}`

/** The fact that an answer with success cannot be read; a forged call says nothing about its answer. */
export const unreadableAnswer = (
  call: OutgoingCall,
  { malformed, forged }: Extract<CallOutcome, { kind: 'answered' }>,
  because: string,
): readonly Fact[] =>
  forged ? [] : [{ kind: 'call.unreadable', call, because: malformed ?? because }]

export interface AnswerRow<Subject> {
  /** What the call is about; undefined when the caller waits for no answer any more. */
  subject(call: OutgoingCall, context: DecisionContext): Subject | undefined
  /** The facts of a success, or the reason why its body is refused. */
  accepted(
    subject: Subject,
    outcome: Extract<CallOutcome, { kind: 'answered' }>,
    context: DecisionContext,
    call: OutgoingCall,
  ): readonly Fact[] | string
  /** The facts of a refusal, or of a call that failed. */
  refused(
    subject: Subject,
    because: string,
    context: DecisionContext,
    outcome: CallOutcome,
  ): readonly Fact[]
}

/** Reads answers by a row; a call that is retried has no answer yet. */
export const answerReader =
  <Subject>(row: AnswerRow<Subject>): AnswerReader =>
  (call, outcome, context) => {
    const subject = row.subject(call, context)
    if (subject === undefined || willRetry(call, outcome)) return []
    if (outcome.kind !== 'answered' || !isSuccess(outcome))
      return row.refused(subject, failureReason(outcome), context, outcome)
    const facts = row.accepted(subject, outcome, context, call)
    if (typeof facts !== 'string') return facts
    const unread = unreadableAnswer(call, outcome, facts)
    return [...unread, ...row.refused(subject, facts, context, outcome)]
  }
