/** A fresh judge of a Software Service, to which tests feed facts and exchanges. */
import type { Engine } from '../../src/core/engine/engine.ts'
import type { Instant } from '../../src/core/engine/instant.ts'
import { invariants as all } from '../../src/core/rules/invariants/catalogue.ts'
import type { Invariant } from '../../src/core/rules/invariants/invariant.ts'
import { createJudge, type Judge } from '../../src/core/rules/invariants/judge/judge.ts'
import type { VerdictTolerances } from '../../src/core/rules/invariants/tracking/tracker-state.ts'
import type { LagSource } from '../../src/core/rules/invariants/tracking/timing.ts'
import { judgeTolerances } from './judge-tolerances.ts'
import { noon, transcript } from './transcript.ts'

export interface JudgeFixtureOptions {
  /** The engine; a new one when absent. */
  readonly engine?: Engine
  readonly invariants?: readonly Invariant[]
  readonly now?: () => Instant
  readonly lag?: LagSource
  readonly limits?: VerdictTolerances
}

export function createTestJudge({
  engine: { settings, world } = transcript().engine,
  invariants = all,
  now = () => noon,
  lag,
  limits = judgeTolerances,
}: JudgeFixtureOptions = {}): Judge {
  return createJudge({
    subject: 'software-service',
    settings,
    limits,
    world,
    now,
    invariants,
    lag,
  })
}
