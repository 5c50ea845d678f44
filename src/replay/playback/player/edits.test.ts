/** Edits in the player over an in-process service: edited, undone, sent alone, gone on from. */
import { expect, test, vi } from 'vitest'
import {
  filesInMemory,
  openPlayer,
  recordingContentOf,
} from '../../../../test/support/dashboard/recording.ts'
import { webhookRecording } from '../../../../test/support/webhook-recording.ts'
import type { PlaybackActions } from '../../../core/session-api/playback.ts'
import type { RecordingContent } from '../../../core/traffic/recording/content.ts'
import { openPlayback } from '../replay/replay.ts'
import { RecordingPlayer } from './player.ts'
import { timelineOfContent } from './timeline.ts'

interface EventBody {
  readonly orderId: string
  readonly eventType: string
  readonly note?: string
}

/** Webhooks to an in-process service, stepped by hand. */
async function openWebhooks(content: RecordingContent) {
  const player = new RecordingPlayer({
    timeline: timelineOfContent(content),
    files: filesInMemory(),
    rules: [],
    target: 'here',
  })
  const received: EventBody[] = []
  const playback = await openPlayback(
    {
      recording: content,
      async to(request) {
        if (request.url.endsWith('/oauth/token'))
          return Response.json({ access_token: 't', token_type: 'bearer', expires_in: 3600 })
        received.push((await request.json()) as EventBody)
        return new Response(null, { status: 204 })
      },
      clock: 'stepped',
    },
    player.ports,
  )
  const running = playback.run()
  const face = player.over(playback.session, playback)
  const actions = face.playback as PlaybackActions
  const look = async (pair = 0) => {
    const { playback: snapshot } = await face.look({
      playback: { pair, rows: { around: 0, limit: content.exchanges.length } },
    })
    if (!snapshot) throw new Error('there is no recording')
    return snapshot
  }
  await vi.waitFor(async () => expect((await look()).next).toBe(0))
  return {
    face,
    actions,
    look,
    received,
    receivedOnly: (count: number) => vi.waitFor(() => expect(received).toHaveLength(count)),
    async edit(place: number, change: (text: string) => string) {
      const document = await actions.document(place)
      if (!document.ok) throw new Error(document.error)
      return actions.edit(place, change(document.value.text))
    },
    async end() {
      playback.stop()
      await running
      return playback.report()
    },
    [Symbol.asyncDispose]: () => playback.close(),
  }
}

const noted = (text: string) => (document: string) =>
  document.replace('"eventType"', `"note": "${text}",\n    "eventType"`)

test('an edit is shown, sent with fresh ids, and in the report; z takes it back before it is sent', async () => {
  const content = webhookRecording(3)
  await using opened = await openWebhooks(content)
  const { actions, face, look, received, receivedOnly } = opened
  expect(await opened.edit(0, noted('first'))).toEqual({
    ok: true,
    value: ['$.note added: "first"'],
  })
  expect(await opened.edit(1, noted('second'))).toMatchObject({ ok: true })
  expect(await opened.edit(1, (text) => text)).toEqual({ ok: true, value: undefined })
  const shown = await look(1)
  expect(shown.rows.map(({ edited }) => edited ?? false)).toEqual([true, true, false])
  expect(shown.pair).toMatchObject({ edits: ['$.note added: "second"'] })
  expect(shown.pair?.recorded.request.body).toContain('"note":"second"')

  expect(await actions.turnEdit('undo')).toEqual({ place: 1, seq: 2 })
  await face.step()
  await face.step()
  await receivedOnly(2)
  expect(received.map(({ note }) => note)).toEqual(['first', undefined])
  expect(received[0]?.orderId).not.toBe('order-1000')
  expect(await actions.turnEdit('redo')).toEqual({ place: 1, seq: 2 })
  expect(await actions.turnEdit('redo')).toBeUndefined()
  const report = await opened.end()
  expect(report.exchanges.map(({ recorded }) => recorded?.edits?.length ?? 0)).toEqual([1, 0])
})

test('bad input changes nothing and says why', async () => {
  await using opened = await openWebhooks(webhookRecording(1))
  expect(await opened.edit(0, (text) => text.replace('"POST"', '"post"'))).toEqual({
    ok: false,
    error: '"post" is no method, such as PUT',
  })
  expect((await opened.look()).pair?.edits).toEqual([])
})

test('sent alone it goes out now, and once more at its turn; the plan and the position stay', async () => {
  await using opened = await openWebhooks(webhookRecording(3))
  const { actions, face, look, received, receivedOnly } = opened
  await opened.edit(2, noted('alone'))
  expect(await actions.sendAlone(2)).toEqual({ ok: true, value: 3 })
  await receivedOnly(1)
  await vi.waitFor(async () => expect((await look(2)).pair?.because).toBe('it was sent alone'))
  expect(await look()).toMatchObject({ position: 0, next: 0 })
  for (const _ of [1, 2, 3]) await face.step()
  await receivedOnly(4)
  expect(received.map(({ note }) => note)).toEqual(['alone', undefined, undefined, 'alone'])
  expect(received[3]?.orderId).toBe(received[0]?.orderId)
  await vi.waitFor(async () => expect((await look()).position).toBe(3))
  // Also after the end, and then it is in the report.
  expect(await actions.sendAlone(0)).toEqual({ ok: true, value: 1 })
  await receivedOnly(5)
  await vi.waitFor(async () => expect((await look()).pair?.because).toBe('it was sent alone'))
  const report = await opened.end()
  expect(report.exchanges.map(({ because }) => because ?? '')).toEqual([
    '',
    'it was sent alone',
    '',
    'it was sent alone',
    '',
  ])
  expect(report).not.toHaveProperty('interrupted')
})

test('gone on from an exchange, what is before it is left out', async () => {
  await using opened = await openWebhooks(webhookRecording(6))
  const { actions, face, look, received, receivedOnly } = opened
  await face.step()
  await receivedOnly(1)
  await vi.waitFor(async () => expect((await look()).counts).toEqual({ same: 1 }))
  expect(await actions.goOnFrom(4)).toEqual({ ok: true, value: { seq: 5, leftOut: 3 } })
  await vi.waitFor(async () => expect(await look()).toMatchObject({ next: 4, position: 4 }))
  expect(await actions.goOnFrom(1)).toMatchObject({
    ok: false,
    error: expect.stringContaining('#2 is over') as string,
  })
  await face.step()
  await face.step()
  await receivedOnly(3)
  await vi.waitFor(async () => expect((await look()).counts).toEqual({ same: 3, noise: 3 }))
  const { exchanges } = await opened.end()
  expect(exchanges.map(({ because }) => because ?? '')).toEqual([
    '',
    'it was left out',
    'it was left out',
    'it was left out',
    '',
    '',
  ])
  expect(new Set(received.map(({ orderId }) => orderId)).size).toBe(3)
})

test('far ahead, beyond what is loaded, it goes on as well', async () => {
  await using opened = await openWebhooks(webhookRecording(3000))
  expect(await opened.actions.goOnFrom(2500)).toMatchObject({ ok: true })
  await vi.waitFor(async () => expect((await opened.look()).next).toBe(2500), 45_000)
  await opened.face.step()
  await opened.receivedOnly(1)
  await opened.end()
})

test('what the service asks cannot be sent, and nothing without a target', async () => {
  const timeline = timelineOfContent(recordingContentOf(3))
  await using browsed = await openPlayer(timeline)
  expect(await browsed.face.playback?.document(0)).toMatchObject({
    ok: false,
    error: expect.stringContaining('nothing is sent without a target') as string,
  })
  await using opened = await openPlayer(timeline, 'http://127.0.0.1:1', 'software-service')
  expect(await opened.face.playback?.sendAlone(0)).toMatchObject({
    error: expect.stringContaining('our counterparts answer it') as string,
  })
  expect(opened.played).toEqual([])
})
