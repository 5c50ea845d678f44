/** Runs schedules against the reference Software Service in this process, in a new session for each batch. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DefectName } from '../../src/demo/defects.ts'
import type { Pace } from '../../src/demo/pace.ts'
import { configurationParts } from '../../src/core/session-api/configuration/schema.ts'
import type { ScheduleRunner } from '../../src/explore/batch/schedule-runner.ts'
import {
  type SessionRequest,
  createSessionRunner,
  defaultFaultPhaseMs,
  sessionConfiguration,
} from '../../src/explore/batch/session-runner.ts'
import { merchantIdentities } from '../../src/core/partners/seed-data/merchants.ts'
import { SessionWorkers } from '../../src/explore/session/session-workers.ts'
import { openHarness } from './in-process-harness.ts'
import { serviceCapabilities, serviceUrl } from './in-process-service.ts'

export interface ReferenceRunnerOptions {
  readonly seed: number
  readonly defects?: readonly DefectName[]
  readonly channel?: 'polling' | 'webhook' | 'both'
  readonly pace?: Partial<Pace>
  readonly width?: number
  /** It remembers in a file, and can be ended and started again. */
  readonly crashes?: boolean | undefined
}

export function createReferenceRunner({
  seed,
  defects = [],
  channel = 'both',
  pace = {},
  width = 64,
  crashes = false,
}: ReferenceRunnerOptions): ScheduleRunner {
  const base = { capabilities: serviceCapabilities(true) }

  async function open(request: SessionRequest) {
    const { subject: _subject, ...session } = sessionConfiguration(
      request,
      { subject: 'software-service', channel },
      base,
    )
    const folder = crashes ? mkdtempSync(join(tmpdir(), 'sparring-memory-')) : undefined
    const memory = folder === undefined ? {} : { memory: join(folder, 'orders') }
    const service = { channel, defects, pace, delivers: true, ...memory }
    const harness = await openHarness({ seed: request.seed, ...service, session })
    return {
      session: harness.session,
      async requestSubject({ method, path }: { readonly method: string; readonly path: string }) {
        const answer = await harness.service.fetch(new Request(`${serviceUrl}${path}`, { method }))
        return answer.status
      },
      async [Symbol.asyncDispose]() {
        await harness[Symbol.asyncDispose]()
        if (folder !== undefined) rmSync(folder, { recursive: true })
      },
    }
  }

  return createSessionRunner({
    open,
    subject: 'software-service',
    channel,
    seed,
    // The virtual clock is advanced, not awaited.
    sleep: () => Promise.resolve(),
    enough: new AbortController().signal,
    tolerances: configurationParts.tolerances().parse({}),
    asks: configurationParts.subject().parse({}).asks,
    faultPhaseMs: defaultFaultPhaseMs,
    merchants: merchantIdentities().map(({ externalCode }) => externalCode),
    width: () => width,
  })
}

/** The same in worker threads. */
export function createReferenceWorkers(
  { width = 64, ...options }: ReferenceRunnerOptions,
  workers?: number,
  enough = new AbortController().signal,
): SessionWorkers {
  const program = new URL('./reference-worker.ts', import.meta.url)
  return new SessionWorkers({ program, data: options, workers, width: () => width, enough })
}
