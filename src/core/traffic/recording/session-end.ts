/** What a session tells its recording when it ends by itself: members of a `state` line. */
import { z } from 'zod'
import { looseObject } from '../../base/lazy-object.ts'

/** The verdict of a rule about the subject, as the session gave it at its end. */
const RecordedVerdict = looseObject(() => ({
  id: z.string().describe('SE-1'),
  sentence: z.string().describe('what the rule requires'),
  remedy: z.string().describe('what to do when it fails'),
  clauses: z.array(z.string()).describe('clauses of the protocol that it comes from'),
  outcome: z.enum(['failed', 'inconclusive', 'passed', 'open', 'not-exercised']),
  premises: z.int().min(0).describe('how often it was checked'),
  violations: z.int().min(0).describe('of which findings has the first'),
  follows: z.string().optional().describe('the rule that failed first, by the same mistake'),
  adviceMeaning: z.string().optional().describe('why its findings are no failure'),
  findings: z.array(
    looseObject(() => ({
      because: z.string().describe('a sentence'),
      orderId: z.string().optional(),
      slot: z.string().optional().describe('o2: the second order of the session'),
      advice: z.literal(true).optional(),
      lagMs: z.number().optional().describe('how late Sparring itself was, in milliseconds'),
      setting: z.literal(true).optional().describe('a setting could not be used'),
      evidence: z.array(z.int()).describe('seq of the exchanges that show it'),
    })),
  ),
}))
export type RecordedVerdict = z.infer<typeof RecordedVerdict>

/** The exchanges that show a failed rule, by their numbers, each with what it shows: `SE-1: Duplicate delivery request for o1.` */
export const shownFailures = (
  verdicts: readonly RecordedVerdict[],
): readonly (readonly [seq: number, text: string])[] =>
  verdicts
    .filter(({ outcome }) => outcome === 'failed')
    .flatMap(({ id, findings }) =>
      findings
        .filter(({ advice }) => advice === undefined)
        .flatMap(({ because, evidence }) =>
          evidence.map((seq) => [seq, `${id}: ${because}`] as const),
        ),
    )

/** A fault of the session: its options, and how often it distorted something. */
const RecordedFault = looseObject(() => ({
  name: z.string().describe('drop'),
  text: z.string().describe('with its options: drop event=CONFIRMED'),
  fired: z.int().min(0).describe('how often it distorted something'),
  over: z.literal(true).optional().describe('it was removed, or had ended'),
}))
type RecordedFault = z.infer<typeof RecordedFault>

/** An order by the place at which it came into the session. */
const RecordedOrder = looseObject(() => ({
  orderId: z.string(),
  slot: z.string().describe('o2: the second order of the session'),
}))
type RecordedOrder = z.infer<typeof RecordedOrder>

export const sessionEndMembers = () => ({
  verdicts: z
    .array(RecordedVerdict)
    .optional()
    .describe('of a session that ended by itself: rules that were exercised'),
  faults: z.array(RecordedFault).optional().describe('of a session that ended by itself'),
  orders: z
    .array(RecordedOrder)
    .optional()
    .describe('of a session that ended by itself: its newest orders'),
})

/** All of it. */
export interface SessionEnd {
  readonly verdicts: readonly RecordedVerdict[]
  readonly faults: readonly RecordedFault[]
  readonly orders: readonly RecordedOrder[]
}
