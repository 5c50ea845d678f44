/** Programs and their rewards (C4, C5; LOY-UND-01): names and costs only, since the rules are the host's own. */
import { z } from 'zod'
import { loyaltyPageOf } from './page.ts'
import { looseObject } from '../../base/lazy-object.ts'
import { evenIfInvalid } from '../unknown-record.ts'

const id = z.string().min(1).max(200)

export const Program = looseObject(() => ({
  id,
  name: z.string().min(1),
  /** The store that it belongs to; absent for a program of all stores. */
  merchantId: id.optional(),
  ownerType: z.enum(['store', 'chain', 'coalition', 'shared', 'other']).optional(),
  status: z.string().optional(),
  metadata: z.record(z.string(), z.unknown()).optional(),
}))
export type Program = z.infer<typeof Program>

export const ProgramPage = loyaltyPageOf(Program)

const maxPrograms = 100

/**
 * Body that stores one program, or several under `items`. Not a union, whose errors would not name the invalid field.
 */
export const ProgramBatch = looseObject(() => ({
  ...Program.partial({ id: true, name: true }).shape,
  items: z.array(Program).min(1).max(maxPrograms).optional(),
})).superRefine((body, context) => {
  if (body.items) return
  for (const field of ['id', 'name'] as const)
    if (body[field] === undefined)
      context.addIssue({ code: 'custom', path: [field], message: 'is missing' })
}, evenIfInvalid)
export type ProgramBatch = z.infer<typeof ProgramBatch>

/** The programs in a batch body. */
export function programsOf(body: ProgramBatch): readonly Program[] {
  const { items, id: ownId = '', name = '', ...others } = body
  return items ?? [{ ...others, id: ownId, name }]
}

export const rewardTypes = ['product', 'shipping', 'cashback', 'generic'] as const
export type RewardType = (typeof rewardTypes)[number]

export const Reward = looseObject(() => ({
  id,
  programId: id,
  name: z.string().min(1),
  type: z.enum(rewardTypes).optional(),
  sku: z.string().optional(),
  /** In points. */
  cost: z.int().min(1).max(1_000_000_000),
  available: z.boolean().optional(),
  metadata: z.record(z.string(), z.unknown()).optional(),
}))
export type Reward = z.infer<typeof Reward>

/** A reward as a client reads it: a partner's cost may be missing or fractional. */
export const PartnerReward = looseObject(() => ({
  id,
  programId: id.optional(),
  name: z.string().optional(),
  cost: z.number().optional(),
  available: z.boolean().optional(),
}))
export type PartnerReward = z.infer<typeof PartnerReward>

export const RewardPage = loyaltyPageOf(PartnerReward)

/** Initial programs and rewards of a Loyalty host. */
export interface LoyaltySeeds {
  readonly programs: readonly Program[]
  readonly rewards: readonly Reward[]
}
