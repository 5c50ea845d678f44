/**
 * The reference Software Service against a replay server in this process, with fresh ids and on virtual time. With a
 * webhook channel the recorded webhooks are sent to it as well.
 */
import { compact } from '../../src/core/base/compact.ts'
import type { Pace as ServicePace } from '../../src/demo/pace.ts'
import type { SoftwareService } from '../../src/demo/software-service.ts'
import {
  createInProcessService,
  type InProcessServiceOptions,
  serviceCapabilities,
} from './in-process-service.ts'
import { openPlayback, type Playback } from '../../src/replay/playback/replay/replay.ts'
import type { PlaybackOptions } from '../../src/replay/playback/replay/options.ts'
import type { RecordingContent } from '../../src/core/traffic/recording/content.ts'
import type { ReplayReport } from '../../src/core/traffic/recording/replay-report.ts'

export interface ReplayServerOptions
  extends
    Omit<InProcessServiceOptions, 'pace'>,
    Partial<Pick<PlaybackOptions, 'seed' | 'pace' | 'answers' | 'serves' | 'rules' | 'only'>> {
  readonly servicePace?: Partial<ServicePace>
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
  const subject = createInProcessService({
    channel,
    defects,
    delivers,
    ...compact({ pace: servicePace }),
  })
  const playback = await openPlayback({
    seed: 4711,
    ...(driven ? { answers: {} } : { serves: {} }),
    ...rest,
    recording,
    clock: 'virtual',
    automatic: driven === true,
    listen: false,
    capabilities: serviceCapabilities(delivers),
    counterparts: { 'ordering-application': { channel } },
    ...(driven || channel !== 'polling' ? { to: subject.fetch } : {}),
  })
  const { session } = playback
  const started = subject.start(session)
  let report: Promise<ReplayReport> | undefined
  if (!driven) report = playback.run()
  return {
    playback,
    service: started.service,
    pass: (ms) => session.advance(ms),
    async end() {
      playback.stop()
      return (report ??= playback.run())
    },
    all: () => (report ??= playback.run()),
    async [Symbol.asyncDispose]() {
      playback.stop()
      await started[Symbol.asyncDispose]()
      await playback.close()
    },
  }
}
