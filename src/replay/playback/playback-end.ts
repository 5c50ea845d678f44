/**
 * Detects the end of a playback with answers: all sends are concluded and the service has made its calls or is idle;
 * when serving, the stop signal or its end conditions.
 */
import type { WorldRuntime } from '../../core/runtime/world-runtime.ts'
import type { PlaybackPlayer } from './player.ts'
import { waitUntilIdle } from './idle-timeout.ts'
import type { RecordedCounterpart } from './recorded-counterpart.ts'

export interface PlaybackEndOptions {
  readonly recordedCounterpart: RecordedCounterpart
  readonly callTimeoutMs: number
  /** Serving mode with its end conditions. */
  readonly serves?:
    | { readonly untilAll?: boolean; readonly idleMs?: number; readonly settleMs?: number }
    | undefined
}

export function createPlaybackEnd({
  recordedCounterpart,
  callTimeoutMs,
  serves,
}: PlaybackEndOptions) {
  const over = new AbortController()
  const { promise: stopped, resolve: stop } = Promise.withResolvers<void>()
  let playing = true

  function check(): void {
    if (!playing && recordedCounterpart.remaining() === 0 && (!serves || serves.untilAll))
      over.abort()
  }
  over.signal.addEventListener('abort', () => stop(), { once: true })

  let calls = 0
  /** Polls that bring nothing keep a recording going that has events for later, and none that is over. */
  function hasCalledInTime(): boolean {
    const before = calls
    calls = recordedCounterpart.callCount()
    return calls > before && !recordedCounterpart.isTimeOver()
  }

  async function served(runtime: WorldRuntime, player: PlaybackPlayer): Promise<void> {
    const { idleMs, settleMs } = serves ?? {}
    const idle =
      settleMs !== undefined
        ? recordedCounterpart.settled({
            callTimeoutMs: settleMs,
            enough: over.signal,
            isPlaying: () => false,
          })
        : idleMs === undefined
          ? stopped
          : waitUntilIdle({
              runtime,
              timeoutMs: idleMs,
              progress: () => recordedCounterpart.progressCount(),
              shouldKeepWaiting: hasCalledInTime,
              enough: over.signal,
            })
    await Promise.race([stopped, idle])
    over.abort()
    player.stop()
  }

  return {
    /** To be called after every call of the service: checks the end conditions. */
    check,
    stop: () => over.abort(),
    /** Resolves at the end of the playback. */
    async waitForEnd(player: PlaybackPlayer, runtime: WorldRuntime): Promise<void> {
      const ended = player.ended.then(() => {
        playing = false
        check()
      })
      const rest = serves
        ? served(runtime, player)
        : recordedCounterpart.settled({
            callTimeoutMs,
            enough: over.signal,
            isPlaying: () => playing,
          })
      await Promise.all([ended, rest])
    },
  }
}
