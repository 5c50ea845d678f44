/** A fresh judge of a Software Service, to which tests feed facts and exchanges. */
import { compact } from '../../src/compact.ts'
import { apply } from '../../src/engine/fact.ts'
import type { Engine } from '../../src/engine/engine.ts'
import type { Fact } from '../../src/engine/fact.ts'
import type { Instant } from '../../src/engine/instant.ts'
import { invariants as all } from '../../src/invariants/catalogue.ts'
import type { Invariant } from '../../src/invariants/invariant.ts'
import { createJudge, type Judge } from '../../src/invariants/judge/judge.ts'
import type { VerdictTolerances } from '../../src/invariants/tracking/tracker-state.ts'
import type { LagSource } from '../../src/invariants/tracking/timing.ts'
import type { OperationId } from '../../src/protocol/catalogue.ts'
import type { Exchange } from '../../src/traffic/exchange.ts'
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

/** A judge together with its engine; both receive what a test feeds. */
export function createTestJudgeWithWorld(invariants?: readonly Invariant[]) {
  const { engine } = transcript()
  const judge = createTestJudge({ engine, ...compact({ invariants }) })
  let seq = 0
  function tell(fact: Fact): void {
    apply(engine.world, fact, noon)
    judge.fact({ seq: ++seq, at: noon, by: 'session', cause: 0, fact })
  }
  /** A call of the service with the reply 200 and further fields. */
  function call(operation: OperationId, { asked, answered, ...rest }: JudgedCallParts): void {
    judge.exchange(
      {
        seq: ++seq,
        startedAt: noon,
        tookMs: 0,
        operation,
        from: { role: 'software-service', party: 'subject' },
        to: { role: 'ordering-application', party: 'sparring' },
        request: { method: 'POST', url: 'http://oa.test/', headers: [], ...bodyOf(asked) },
        reply: { status: 200, headers: [], ...bodyOf(answered) },
        ...rest,
      },
      { began: noon, ended: noon },
    )
  }
  return { world: engine.world, judge, tell, call }
}

export interface JudgedCallParts extends Partial<Exchange> {
  /** The request body; a string is sent verbatim. */
  readonly asked?: unknown
  readonly answered?: unknown
}

const bodyOf = (value: unknown) =>
  value === undefined ? {} : { body: typeof value === 'string' ? value : JSON.stringify(value) }
