/** Schemas of verdicts and their findings, for the description of the control API. */
import { z } from 'zod'
import { featureSwitches } from '../../protocol/operation.ts'
import {
  neededSettings,
  verdictOutcomes,
  type Evidence,
  type Finding,
  type Verdict,
} from '../../rules/invariants/verdict.ts'
import type { SessionVerdict } from '../../views/session-verdict.ts'
import { objectLike } from './object-like.ts'

const text = z.string()
const some = text.optional()
const count = z.int().min(0)
const instant = z.number()

const EvidenceBody = objectLike<Evidence>()(() => ({ seq: count, at: instant, line: text }))

export const FindingBody = objectLike<Finding>()(() => ({
  because: text,
  at: instant,
  orderId: some,
  slot: some,
  evidence: z.array(EvidenceBody),
  advice: z.literal(true).optional(),
  lagMs: z.number().optional(),
  setting: z.literal(true).optional(),
}))

export const VerdictBody = objectLike<Verdict>()(() => ({
  id: text,
  name: text,
  sentence: text,
  remedy: text,
  kind: z.enum(['safety', 'liveness', 'timing']),
  clauses: z.array(text),
  outcome: z.enum(verdictOutcomes),
  premises: count,
  premise: text,
  violations: count,
  inconclusive: count,
  findings: z.array(FindingBody),
  latest: z.array(FindingBody).optional(),
  needs: z.array(z.enum([...featureSwitches, ...neededSettings])).optional(),
  alsoShownBy: some,
  adviceMeaning: some,
  follows: some,
}))

export const SessionVerdictBody = objectLike<SessionVerdict>()(() => ({
  passed: z.boolean(),
  exit: z.union([z.literal(0), z.literal(1), z.literal(2), z.literal(3)]),
  because: text,
  counts: z.object({
    failed: count,
    inconclusive: count,
    passed: count,
    open: count,
    'not-exercised': count,
  }),
  notExercised: z.array(text),
  broken: z.array(VerdictBody),
  text,
}))
