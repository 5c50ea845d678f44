/**
 * Replays by decisions (redrive) against the reference Software Service in this process, with fresh ids and on virtual
 * time.
 */
import { type DecisionsReplay, replayRecording } from '../../src/replay/playback/replay/library.ts'
import type { ReplayReport } from '../../src/core/traffic/recording/replay-report.ts'
import {
  createInProcessService,
  type InProcessServiceOptions,
  servicePaths,
} from './in-process-service.ts'

export interface RedriveHarnessOptions
  extends
    Omit<InProcessServiceOptions, 'pace'>,
    Pick<DecisionsReplay, 'timing' | 'onStep' | 'onWarning' | 'seed' | 'signal' | 'settle'> {
  /** Mean time of one step of an order, in ms. */
  readonly thinkMs?: number
}

export async function redriveInProcess(
  recording: DecisionsReplay['recording'],
  options: RedriveHarnessOptions = {},
): Promise<ReplayReport> {
  const { defects = [], channel = 'polling', delivers = false, thinkMs, ...replay } = options
  const pace = thinkMs === undefined ? {} : { pace: { thinkMs } }
  const service = createInProcessService({ defects, channel, delivers, ...pace })
  return replayRecording({
    driver: 'partner',
    seed: 4711,
    ...replay,
    recording,
    to: service.fetch,
    subject: servicePaths,
    asks: { cancellation: '/probe/orders/{orderId}/request-cancellation' },
    connect: service.start,
  })
}
