/**
 * The reference Software Service against a replay server in this process, with fresh ids and on virtual time. With a
 * webhook
 * channel the recorded webhooks are sent to it as well.
 */
import { compact } from '../../src/compact.ts'
import type { DefectName } from '../../src/demo/defects.ts'
import type { Pace as ServicePace } from '../../src/demo/pace.ts'
import { createSoftwareService, type SoftwareService } from '../../src/demo/software-service.ts'
import { openPlayback, type Playback } from '../../src/session/replay/replay.ts'
import type { PlaybackOptions } from '../../src/session/replay/options.ts'
import type { RecordingContent } from '../../src/traffic/recording/content.ts'
import type { ReplayReport } from '../../src/traffic/replay/replay-report.ts'

export interface ReplayServerOptions extends Partial<
  Pick<PlaybackOptions, 'seed' | 'pace' | 'answers' | 'serves' | 'rules' | 'only'>
> {
  readonly channel?: 'polling' | 'webhook' | 'both'
  readonly defects?: readonly DefectName[]
  readonly servicePace?: Partial<ServicePace>
  readonly delivers?: boolean
  /** Whether the replay is driven to the end of the recording, as by the driver `client`. */
  readonly driven?: true
}

export interface ReplayServerHarness extends AsyncDisposable {
  readonly playback: Playback
  readonly service: SoftwareService
  /** Advances the time by `ms`. */
  readonly pass: (ms: number) => Promise<void>
  /** Ends the replay and returns its report. */
  readonly end: () => Promise<ReplayReport>
  /** Plays the whole recording, when it is driven. */
  readonly all: () => Promise<ReplayReport>
}

const serviceUrl = 'http://software-service.test'

export async function openReplayServer(
  recording: RecordingContent,
  options: ReplayServerOptions = {},
): Promise<ReplayServerHarness> {
  const {
    channel = 'polling',
    defects = [],
    servicePace,
    delivers = false,
    driven,
    ...rest
  } = options
  let service: SoftwareService | undefined
  const playback = await openPlayback({
    seed: 4711,
    ...(driven ? { answers: {} } : { serves: {} }),
    ...rest,
    recording,
    clock: 'virtual',
    automatic: driven === true,
    listen: false,
    capabilities: {
      indoor: false,
      customer: false,
      reviews: false,
      loyalty: false,
      logistics: delivers,
    },
    counterparts: { 'ordering-application': { channel } },
    ...(driven || channel !== 'polling'
      ? {
          to: async (request: Request) =>
            (await service?.fetch(request)) ?? new Response(null, { status: 503 }),
        }
      : {}),
  })
  const { session } = playback
  const running = createSoftwareService({
    partner: session.urls.get('ordering-application') ?? '',
    platform: delivers ? session.urls.get('delivery-platform') : undefined,
    base: serviceUrl,
    channel,
    clock: session.clock,
    fetch: (request: Request) => session.fetch(request),
    defects,
    ...compact({ pace: servicePace }),
  })
  service = running
  running.start()
  let report: Promise<ReplayReport> | undefined
  if (!driven) report = playback.run()
  return {
    playback,
    service: running,
    pass: (ms) => session.advance(ms),
    async end() {
      playback.stop()
      return (report ??= playback.run())
    },
    all: () => (report ??= playback.run()),
    async [Symbol.asyncDispose]() {
      playback.stop()
      const stopped = running.stop()
      await session.advance(0)
      await stopped
      await playback.close()
    },
  }
}
