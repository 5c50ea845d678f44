/** Runs schedules against the reference Software Service in this process, in a new session for each batch. */
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
import { openHarness } from './in-process-harness.ts'
import { serviceCapabilities, serviceUrl } from './in-process-service.ts'

export interface ReferenceRunnerOptions {
  readonly seed: number
  readonly defects?: readonly DefectName[]
  readonly channel?: 'polling' | 'webhook' | 'both'
  readonly pace?: Partial<Pace>
  readonly width?: number
}

export function createReferenceRunner({
  seed,
  defects = [],
  channel = 'both',
  pace = {},
  width = 64,
}: ReferenceRunnerOptions): ScheduleRunner {
  const base = { capabilities: serviceCapabilities(true) }

  async function open(request: SessionRequest) {
    const { subject: _subject, ...session } = sessionConfiguration(
      request,
      { subject: 'software-service', channel },
      base,
    )
    const service = { channel, defects, pace, delivers: true }
    const harness = await openHarness({ seed: request.seed, ...service, session })
    return {
      session: harness.session,
      async requestSubject({ method, path }: { readonly method: string; readonly path: string }) {
        const answer = await harness.service.fetch(new Request(`${serviceUrl}${path}`, { method }))
        return answer.status
      },
      [Symbol.asyncDispose]: () => harness[Symbol.asyncDispose](),
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
