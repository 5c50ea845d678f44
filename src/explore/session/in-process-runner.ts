/** Plays schedules in this thread: opens a session on the virtual clock for each batch of them, without sockets. */
import { compact } from '../../core/base/compact.ts'
import { configurationParts } from '../../core/session-api/configuration/schema.ts'
import type { ScheduleRunner } from '../batch/schedule-runner.ts'
import {
  type SessionRequest,
  createSessionRunner,
  defaultFaultPhaseMs,
  sessionConfiguration,
} from '../batch/session-runner.ts'
import type { ExploredModule, ExploreOptions } from './explore-options.ts'
import { problem } from '../../core/base/problem.ts'
import { abortableSleep } from '../../core/runtime/clock/clock.ts'
import { importDefaultExport } from '../../core/runtime/files/module-file.ts'
import { prepareSession } from '../../core/session/session.ts'

/** The options of a session, as they can be sent to a thread. */
export type SessionSettings = Omit<
  ExploreOptions,
  keyof ExploredModule | 'signal' | 'onRecord' | 'strategies'
>

/** Schedules side by side in one session. */
export const defaultWidth = 64

/** The default export of a file. */
export async function loadService(file: string): Promise<ExploredModule> {
  const found = await importDefaultExport(file, file, 'a service')
  if ('subject' in found && typeof found.subject === 'function') return found as ExploredModule
  const remedy = 'End it with export default { subject: app.fetch, connect }.'
  throw problem(`running ${file}`, 'subject is no function of its default export', remedy)
}

export function createInProcessRunner(
  settings: SessionSettings,
  { subject, connect, visit, service }: ExploredModule,
  enough: AbortSignal,
): ScheduleRunner {
  const { as, channel = 'polling', seed = 1, webhooks, probe, effects, width } = settings
  const { capabilities, conduct, counterparts, tolerances, protocol, dialect, merchants } = settings
  const base = compact({
    capabilities,
    conduct,
    counterparts,
    tolerances,
    protocol,
    dialect,
    merchants,
  })

  async function open(request: SessionRequest) {
    const { subject: role, ...configuration } = sessionConfiguration(
      request,
      { subject: as, channel },
      base,
    )
    const session = await prepareSession({
      ...configuration,
      clock: 'virtual',
      automatic: false,
      listen: false,
      as,
      subject: { ...role, ...compact({ webhooks, probe, effects }) },
      handler: subject,
      ...compact({ service }),
    })
    await Promise.all([session.begin(), session.loadFaults()])
    const disconnect = connect?.(session)
    return {
      session,
      ...(visit ? { requestSubject: visit } : {}),
      async [Symbol.asyncDispose]() {
        const stopped = disconnect?.()
        // A service that stops may wait on the session's clock.
        await session.advance(0)
        await stopped
        await session.close()
      },
    }
  }

  return createSessionRunner({
    open,
    subject: as,
    channel,
    seed,
    sleep: abortableSleep,
    enough,
    tolerances: configurationParts.tolerances().parse(tolerances ?? {}),
    asks: configurationParts.subject().parse({ asks: settings.asks ?? {} }).asks,
    faultPhaseMs: defaultFaultPhaseMs,
    merchants: [],
    width: () => width ?? defaultWidth,
  })
}
