/** Schema of an explanation, for the description of the control API. */
import { z } from 'zod'
import { OrderStatus } from '../../protocol/orders/order.ts'
import { RoleName } from '../../protocol/role-schema.ts'
import type {
  ExplainedRule,
  Explanation,
  Split,
  StoryKind,
  StoryLine,
  StoryStep,
} from '../../session-api/explanation.ts'
import { objectLike } from './object-like.ts'

const storyKinds = {
  host: 0,
  event: 0,
  fault: 0,
  handover: 0,
  acknowledgment: 0,
  read: 0,
  call: 0,
  effect: 0,
} as const satisfies Record<StoryKind, 0>

const text = z.string()
const instant = z.number()
const seqs = z.array(z.int().min(1))

const Line = objectLike<StoryLine>()(() => ({
  at: instant,
  kind: z.enum(Object.keys(storyKinds) as StoryKind[]),
  text,
  exchanges: seqs,
  fact: z.int().min(1).optional(),
  eventId: text.optional(),
  odd: z.literal(true).optional(),
}))

const Period = objectLike<Split>()(() => ({
  from: instant,
  to: instant.optional(),
  text,
  because: text,
  exchanges: seqs,
}))

const Step = objectLike<StoryStep>()(() => ({
  status: OrderStatus,
  at: instant,
  exchange: z.int().min(1).optional(),
}))

const Rule = objectLike<ExplainedRule>()(() => ({
  id: text,
  sentence: text,
  remedy: text,
  clauses: z.array(text),
}))

export const ExplanationBody = objectLike<Explanation>()(() => ({
  about: z.object({
    kind: z.enum([
      'order',
      'event',
      'exchange',
      'account',
      'customer',
      'loyalty-account',
      'coupon',
    ]),
    id: text,
  }),
  orderId: text.optional(),
  slot: text.optional(),
  title: text,
  other: z.object({ role: RoleName, name: text }),
  host: z.array(Step),
  known: z.array(Step),
  lines: z.array(Line),
  omitted: z.int().min(0),
  splits: z.array(Period),
  conclusion: z.array(text),
  rules: z.array(Rule),
}))
