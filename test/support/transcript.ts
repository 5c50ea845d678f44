/** The engine without a session: commands in, facts out, each fact as one line of text. */
import { compact } from '../../src/core/base/compact.ts'
import {
  Configuration,
  type ConfigurationInput,
} from '../../src/core/session-api/configuration/schema.ts'
import { scheduledItems } from '../../src/core/engine/agenda/agenda.ts'
import type { Command } from '../../src/core/engine/command.ts'
import { SessionEngine, type Engine, type Reactor } from '../../src/core/engine/engine.ts'
import type { FaultPort } from '../../src/core/engine/faults/fault.ts'
import type { Instant } from '../../src/core/engine/instant.ts'
import { factText } from '../../src/core/engine/fact.ts'
import { engineSettings } from '../../src/core/session/settings.ts'

/** The start of every transcript: noon. */
export const noon: Instant = 1_767_625_200_000

export interface TranscriptOptions {
  readonly conduct?: ConfigurationInput['conduct']
  readonly channel?: 'polling' | 'webhook' | 'both'
  readonly reactors?: readonly Reactor[]
  readonly seed?: number
  readonly journalWindow?: number
  /** The implementation of fault names. */
  readonly faults?: FaultPort
}

export interface Transcript {
  readonly engine: Engine
  /** Submits commands that must be accepted. */
  readonly given: (...commands: readonly Command[]) => Transcript
  /** The facts of a command, one per line, or one line with the refusal. */
  readonly when: (command: Command) => readonly string[]
  /** Runs the first item of the agenda; returns its facts. */
  readonly take: () => readonly string[]
  /** The ids of the agenda items, in order. */
  readonly plan: () => readonly number[]
}

export function transcript(options: TranscriptOptions = {}): Transcript {
  const { conduct, channel = 'polling', reactors = [], seed = 42, journalWindow, faults } = options
  const configuration = Configuration.parse({
    conduct: conduct ?? {},
    counterparts: { 'ordering-application': { channel } },
    subject: { role: 'software-service' },
  })
  const engine = new SessionEngine({
    seed,
    settings: engineSettings(configuration, ['ordering-application'], []),
    reactors,
    origin: noon,
    ...compact({ journalWindow }),
    ...(faults ? { faults: () => faults } : {}),
  })

  /** The facts, including those of the reactors. */
  function during(act: () => void): readonly string[] {
    const lines: string[] = []
    const stop = engine.onFact(({ fact }) => lines.push(factText(fact, engine.world)))
    act()
    stop()
    return lines
  }

  const made: Transcript = {
    engine,
    given(...commands) {
      for (const command of commands) {
        const decision = engine.submit(command)
        if (!decision.ok) throw new Error(`${command.kind}: ${decision.error.message}`)
      }
      return made
    },
    when: (command) => {
      let refusal: string | undefined
      const lines = during(() => {
        const decision = engine.submit(command)
        if (!decision.ok) refusal = `${decision.error.code}: ${decision.error.message}`
      })
      return refusal === undefined ? lines : [...lines, refusal]
    },
    take: () => during(() => void engine.take()),
    plan: () => Array.from(scheduledItems(engine.world.agenda), ({ id }) => id),
  }
  return made
}
