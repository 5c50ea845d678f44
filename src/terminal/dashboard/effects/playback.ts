/**
 * Actions on a recording: seek, find next, bookmark, accept a difference, send alone, go on from there, undo an edit,
 * export, minimise.
 */
import { assertNever } from '../../../core/protocol/result.ts'
import type { SessionApi } from '../../../core/session-api/session-api.ts'
import type { Message, PlaybackAction } from '../model/message.ts'
import type { ActionContext } from './ports.ts'
import { errorMessage, noticeMessage } from './notice.ts'
import { undoOrRedo } from './agenda.ts'

const searchNames = { trouble: 'divergence', mark: 'bookmark', fault: 'failure' } as const

export async function performPlayback(
  session: SessionApi,
  action: PlaybackAction,
  { ports: { exportRecording, minimise }, onMessage }: ActionContext,
): Promise<readonly Message[]> {
  const { playback } = session
  if (!playback) return [noticeMessage('there is no recording here', 'muted')]
  switch (action.kind) {
    case 'seek': {
      const place = await playback.seek(action.to)
      return place.ok ? [{ kind: 'sought', place: place.value }] : [errorMessage(place, 'warn')]
    }
    case 'next': {
      const { from, what, direction } = action
      const place = await playback.next(from, what, direction)
      if (place !== undefined) return [{ kind: 'placed', place }]
      return [
        noticeMessage(
          `there is no ${searchNames[what]} ${direction > 0 ? 'after' : 'before'} this`,
          'muted',
        ),
      ]
    }
    case 'bookmark': {
      const bookmarked = await playback.bookmark(action.place)
      if (!bookmarked.ok) return [errorMessage(bookmarked)]
      return [noticeMessage(bookmarked.value ? "bookmarked: ' goes there" : 'the bookmark is gone')]
    }
    case 'accept': {
      const file = await playback.accept(action.place, action.difference, action.compare)
      return [
        file.ok ? noticeMessage(`accepted from now on: ${file.value}`, 'ok') : errorMessage(file),
      ]
    }
    case 'turn-edit': {
      const turned = await playback.turnEdit(action.direction)
      if (!turned) return undoOrRedo(session, action.direction, action.past)
      const done = action.direction === 'undo' ? 'undone' : 'done again'
      return [
        { kind: 'placed', place: turned.place },
        noticeMessage(`the edit of #${turned.seq} is ${done}; what was sent stays`),
      ]
    }
    case 'send-alone': {
      const sent = await playback.sendAlone(action.place)
      return [sent.ok ? noticeMessage(`#${sent.value} goes out alone`) : errorMessage(sent, 'warn')]
    }
    case 'go-on': {
      const gone = await playback.goOnFrom(action.place)
      if (!gone.ok) return [errorMessage(gone, 'warn')]
      const { seq, leftOut } = gone.value
      return [noticeMessage(`#${seq} is next, ${leftOut} left out: n sends it, space plays on`)]
    }
    case 'export': {
      if (!exportRecording) return [noticeMessage('there is no place to export to here', 'muted')]
      const file = await exportRecording(action.file)
      return [file.ok ? noticeMessage(`written: ${file.value}`, 'ok') : errorMessage(file)]
    }
    case 'minimise': {
      if (!minimise)
        return [noticeMessage('minimising needs a target: open it with --to <url>', 'muted')]
      const lines = await minimise((text) => onMessage(noticeMessage(text, 'info')), action.place)
      if (!lines.ok) return [errorMessage(lines)]
      return [{ kind: 'shown', title: 'Minimised', lines: lines.value }]
    }
    default:
      return assertNever(action)
  }
}
