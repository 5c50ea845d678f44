/** Actions on a recording: seek, find next, bookmark, accept a difference, export, minimise. */
import { assertNever } from '../../protocol/result.ts'
import type { SessionApi } from '../../session-api/session-api.ts'
import type { Action, Message } from '../model/message.ts'
import type { DashboardPorts } from './ports.ts'
import { noticeMessage } from './notice.ts'

/** Actions on the recording. */
export type PlaybackAction = Extract<
  Action,
  { readonly kind: 'seek' | 'next' | 'bookmark' | 'accept' | 'export' | 'minimise' }
>

const playbackActionKinds: ReadonlySet<string> = new Set<PlaybackAction['kind']>([
  'seek',
  'next',
  'bookmark',
  'accept',
  'export',
  'minimise',
])

export const isPlaybackAction = (action: Action): action is PlaybackAction =>
  playbackActionKinds.has(action.kind)

const searchNames = { trouble: 'divergence', mark: 'bookmark', fault: 'failure' } as const

export async function performPlayback(
  { playback }: SessionApi,
  action: PlaybackAction,
  { exportRecording, minimise }: DashboardPorts,
  onMessage: (message: Message) => void,
): Promise<readonly Message[]> {
  if (!playback) return [noticeMessage('there is no recording here', 'muted')]
  switch (action.kind) {
    case 'seek': {
      const place = await playback.seek(action.to)
      return place.ok
        ? [{ kind: 'sought', place: place.value }]
        : [noticeMessage(place.error, 'warn')]
    }
    case 'next': {
      const { from, what, way } = action
      const place = await playback.next(from, what, way)
      if (place !== undefined) return [{ kind: 'placed', place }]
      return [
        noticeMessage(
          `there is no ${searchNames[what]} ${way > 0 ? 'after' : 'before'} this`,
          'muted',
        ),
      ]
    }
    case 'bookmark': {
      const bookmarked = await playback.bookmark(action.place)
      if (!bookmarked.ok) return [noticeMessage(bookmarked.error, 'err')]
      return [noticeMessage(bookmarked.value ? "bookmarked: ' goes there" : 'the bookmark is gone')]
    }
    case 'accept': {
      const file = await playback.accept(action.place, action.difference, action.compare)
      return [
        file.ok
          ? noticeMessage(`accepted from now on: ${file.value}`, 'ok')
          : noticeMessage(file.error, 'err'),
      ]
    }
    case 'export': {
      if (!exportRecording) return [noticeMessage('there is no place to export to here', 'muted')]
      const file = await exportRecording(action.file)
      return [
        file.ok ? noticeMessage(`written: ${file.value}`, 'ok') : noticeMessage(file.error, 'err'),
      ]
    }
    case 'minimise': {
      if (!minimise)
        return [noticeMessage('minimising needs a target: open it with --to <url>', 'muted')]
      const lines = await minimise((text) => onMessage(noticeMessage(text, 'info')))
      if (!lines.ok) return [noticeMessage(lines.error, 'err')]
      return [{ kind: 'shown', title: 'Minimised', lines: lines.value }]
    }
    default:
      return assertNever(action)
  }
}
