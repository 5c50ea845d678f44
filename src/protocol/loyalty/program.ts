/** Programs and their rewards (C4, C5; LOY-UND-01). Their rules are the host's own business: here are only names and costs. */
import { z } from 'zod'
import { pageOf } from './page.ts'

const id = z.string().min(1).max(200)

export const Program = z.looseObject({
  id,
  name: z.string().min(1),
  /** The store that it belongs to; absent for one that counts at all of them. */
  merchantId: id.optional(),
  ownerType: z.enum(['store', 'chain', 'coalition', 'shared', 'other']).optional(),
  status: z.string().optional(),
  metadata: z.record(z.string(), z.unknown()).optional(),
})
export type Program = z.infer<typeof Program>

export const ProgramPage = pageOf(Program)

const mostPrograms = 100

/** What stores programs: one, or several as `items`. Not a union: that could not say which field is wrong. */
export const ProgramBatch = z
  .looseObject({
    ...Program.partial({ id: true, name: true }).shape,
    items: z.array(Program).min(1).max(mostPrograms).optional(),
  })
  .superRefine((body, context) => {
    if (body.items) return
    for (const field of ['id', 'name'] as const)
      if (body[field] === undefined)
        context.addIssue({ code: 'custom', path: [field], message: 'is missing' })
  })
export type ProgramBatch = z.infer<typeof ProgramBatch>

/** The programs of such a body. */
export function programsOf(body: ProgramBatch): readonly Program[] {
  const { items, id: ownId = '', name = '', ...others } = body
  return items ?? [{ ...others, id: ownId, name }]
}

export const rewardTypes = ['product', 'shipping', 'cashback', 'generic'] as const
export type RewardType = (typeof rewardTypes)[number]

export const Reward = z.looseObject({
  id,
  programId: id,
  name: z.string().min(1),
  type: z.enum(rewardTypes).optional(),
  sku: z.string().optional(),
  /** In points. */
  cost: z.int().min(1).max(1_000_000_000),
  available: z.boolean().optional(),
  metadata: z.record(z.string(), z.unknown()).optional(),
})
export type Reward = z.infer<typeof Reward>

/** As a client reads it: a partner's cost may be missing, or no whole number. */
export const RewardSeen = z.looseObject({
  id,
  programId: id.optional(),
  name: z.string().optional(),
  cost: z.number().optional(),
  available: z.boolean().optional(),
})
export type RewardSeen = z.infer<typeof RewardSeen>

export const RewardPage = pageOf(RewardSeen)

/** What a Loyalty host begins with. */
export interface LoyaltySeeds {
  readonly programs: readonly Program[]
  readonly rewards: readonly Reward[]
}
