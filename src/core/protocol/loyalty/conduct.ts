/** The choices that the protocol leaves open in Loyalty, a module of Customer, each with its default. */
import { z } from 'zod'
import { Duration } from '../duration.ts'
import { Program, Reward } from './program.ts'
import { strictObject } from '../../base/lazy-object.ts'
import { onOrOff, wholeNumber, oneWord } from '../setting.ts'

/** Status of a rejected call; 202 is a receipt without effect. */
const rejection = z.union([z.literal(409), z.literal(422), z.literal(400), z.literal(202)])

const thirtyDays = 30 * 24 * 3_600_000

export const LoyaltyConduct = strictObject(() => ({
  programs: z
    .array(Program)
    .max(100)
    .optional()
    .describe('loyalty programs; two of ours when absent (LOY-GEN-02)')
    .meta({ examples: [[{ id: 'gold', name: 'Gold' }]] }),
  rewards: z
    .array(Reward)
    .max(1000)
    .optional()
    .describe('rewards, each with its cost in points; some of ours when absent (LOY-GEN-02)')
    .meta({ examples: [[{ id: 'coffee', programId: 'gold', name: 'Coffee', cost: 100 }]] }),
  enrollment: oneWord(['first-order', 'by-hand'], 'first-order').describe(
    'a customer is enrolled with the first order, or only by a command (LOY-UND-02)',
  ),
  pointsPerOrder: wholeNumber(0, 1_000_000, 50).describe(
    'points that a completed order earns in each program (LOY-GEN-02)',
  ),
  pointsLife: Duration.default(0).describe(
    'how long points live; 0 when they expire by a command only (LOY-GEN-02)',
  ),
  expiringSoon: Duration.default(thirtyDays).describe(
    'points whose end is nearer than this are in pointsExpiringSoon (LOY-REC-02)',
  ),
  couponLife: Duration.default(0).describe(
    'how long coupons live; 0 when they expire by a command only (LOY-UND-03)',
  ),
  enrolledMay: z
    .strictObject({
      earn: onOrOff(true).describe('earn points'),
      redeem: onOrOff(true).describe('redeem points'),
      'use-coupon': onOrOff(true).describe('use a coupon'),
    })
    .prefault({})
    .describe('what an account that is only ENROLLED may do (LOY-PRM-02 to 04)'),
  insufficientBalance: rejection
    .default(409)
    .describe('answer to a redemption above the balance; 202 and then nothing (LOY-UND-02)'),
  blockedMovement: rejection
    .default(409)
    .describe('answer to a redemption of an account that may not; 202 and nothing (LOY-UND-02)'),
  couponRollback: oneWord(['release', 'cancel'], 'release').describe(
    'a coupon of an earlier redemption, when its order is cancelled (LOY-UND-03)',
  ),
  redemptionBody: oneWord(['account', 'customer'], 'account').describe(
    'our client names the account, or the customer and the program (LOY-UND-05)',
  ),
  eventBody: oneWord(['wrapped', 'flat'], 'wrapped').describe(
    'our events in the documents’ wrapper, or flat (LOY-UND-06)',
  ),
}))
export type LoyaltyConduct = z.infer<typeof LoyaltyConduct>
