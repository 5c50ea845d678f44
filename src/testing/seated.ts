/** A judge of a Software Service, with nothing heard yet: a test shows it what it likes. */
import type { Engine } from '../engine/engine.ts'
import type { Instant } from '../engine/instant.ts'
import { invariants as all } from '../invariants/catalogue.ts'
import type { Invariant } from '../invariants/invariant.ts'
import { createJudge, type Judge } from '../invariants/judge.ts'
import { patience } from './patience.ts'
import { noon, transcript } from './transcript.ts'

export interface SeatOptions {
  /** Where things happen besides; an engine of its own, if none is given. */
  readonly engine?: Engine
  readonly invariants?: readonly Invariant[]
  readonly now?: () => Instant
}

export function seat({
  engine: { settings, world } = transcript().engine,
  invariants = all,
  now = () => noon,
}: SeatOptions = {}): Judge {
  return createJudge({ subject: 'software-service', settings, patience, world, now, invariants })
}
