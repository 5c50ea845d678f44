/** Notes on exchanges: in the session, its explanation and its recording, redacted, and as comments of an archive. */
import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { exportText, importText } from '../../../test/support/round-trip.ts'
import { openRecordingIndex } from '../../core/runtime/recording/recording-index.ts'
import { readRecording } from '../../core/runtime/recording/read-recording.ts'
import { openSession } from '../../core/session/open-session.ts'
import { timelineOfIndex } from '../playback/player/timeline.ts'
import { harFormat } from './har.ts'

/** A session in which one call of the service has a note; its recording. */
async function noted(...notes: readonly (readonly [seq: number, text: string])[]) {
  const file = join(mkdtempSync(join(tmpdir(), 'sparring-notes-')), 'noted.rec.ndjson')
  await using session = await openSession({
    as: 'software-service',
    listen: false,
    clock: 'virtual',
    recording: { file },
  })
  const created = await session.createOrder({ type: 'TAKEOUT' })
  const orderId = created.ok ? created.value.orderId : ''
  const base = session.urls.get('ordering-application') ?? ''
  const asked = await session.fetch(
    new Request(`${base}/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams({
        client_id: 'subject',
        client_secret: 'secret',
        scope: 'proto.orders',
      }),
    }),
  )
  const { access_token: token } = (await asked.json()) as { access_token: string }
  const headers = { authorization: `Bearer ${token}` }
  await session.fetch(new Request(`${base}/orders/${orderId}`, { headers }))
  const answers = []
  for (const [seq, text] of notes) answers.push(await session.note(seq, text))
  const snapshot = await session.look({ traffic: { limit: 9 }, explain: orderId })
  return { file, answers, snapshot }
}

describe('a note', () => {
  test('is in the traffic, in the explanation of its order, and in the recording, redacted', async () => {
    const { file, answers, snapshot } = await noted(
      [2, 'first thought'],
      [2, ' why twice? ask ana@example.com '],
    )
    expect(answers.at(-1)).toEqual({
      ok: true,
      value: { seq: 2, note: 'why twice? ask ana@example.com' },
    })
    expect(snapshot.traffic.map(({ note }) => note)).toEqual([
      undefined,
      'why twice? ask ana@example.com',
    ])
    const lines = snapshot.explanation?.lines.map(({ text }) => text).join('\n')
    expect(lines).toContain('(note on #2: why twice? ask ana@example.com)')
    expect(readFileSync(file, 'utf8')).not.toContain('ana@example.com')
    const read = await readRecording(file)
    const notes = read.ok ? read.value.exchanges.map(({ note }) => note) : []
    expect(notes).toEqual([undefined, expect.stringMatching(/^why twice\? ask \S+$/)])
    const index = await openRecordingIndex(file)
    if (!index.ok) throw new Error(index.error)
    expect((await index.value.at(1)).note).toBe(notes[1])
    // The player goes to it as to a bookmark.
    expect(timelineOfIndex(index.value).marks).toEqual([{ seq: 2, text: notes[1] }])
    index.value.close()
  })

  test('is taken away by an empty text, and refused for what is not there or too long', async () => {
    const { file, answers } = await noted([2, 'x'], [2, ' '], [9, 'x'], [2, 'x'.repeat(2001)])
    expect(answers[1]).toEqual({ ok: true, value: { seq: 2 } })
    expect(answers[2]).toMatchObject({ ok: false, error: { code: 'NOT_FOUND' } })
    expect(answers[3]).toMatchObject({ ok: false, error: { code: 'INVALID_PAYLOAD' } })
    const read = await readRecording(file)
    expect(read.ok && read.value.exchanges.map(({ note }) => note)).toEqual([undefined, undefined])
  })
})

describe('as a comment of an archive', () => {
  interface Archive {
    readonly log: { readonly entries: readonly { readonly comment?: string }[] }
  }
  const commentsIn = (text: string) =>
    (JSON.parse(text) as Archive).log.entries.map(({ comment }) => comment)

  test('it is exported, and the recording comes back as it was', async () => {
    const { file } = await noted([2, 'a "note"'], [1, 'gone'], [1, ''])
    const recording = readFileSync(file, 'utf8')
    const archive = exportText(harFormat, recording)
    expect(commentsIn(archive)).toEqual([undefined, 'a "note"'])
    const lines = (text: string): readonly string[] =>
      text.split('\n').filter((line) => line.includes('"type":"http"'))
    expect(lines(importText(harFormat, archive).recording)).toEqual(lines(recording))
  })

  test('it is read of any archive, redacted as a sentence, and stays through an export', async () => {
    const { file } = await noted([2, 'the price is wrong here, says ana@example.com'])
    const archive = exportText(harFormat, readFileSync(file, 'utf8'), { plain: true })
    const foreign = importText(harFormat, archive.replaceAll(/~\w+/g, 'ana@example.com'), {
      redact: true,
    }).recording
    expect(foreign).toContain('the price is wrong here, says ')
    expect(foreign).not.toContain('ana@example.com')
    expect(commentsIn(exportText(harFormat, foreign))[1]).toContain('the price is wrong here')
  })
})
