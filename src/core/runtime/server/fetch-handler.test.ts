/** The fetch handler with a request that does not arrive whole. */
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { emptyFolder } from '../../../../test/support/spawn-sparring.ts'
import { readRecording } from '../recording/read-recording.ts'
import { openSession } from '../../session/open-session.ts'

test('a request whose body breaks off is its caller’s failure, and leaves no exchange in flight', async () => {
  const file = join(emptyFolder(), 'lunch.rec.ndjson')
  const session = await openSession({
    listen: false,
    clock: 'virtual',
    automatic: false,
    recording: { file, redact: false, unsafe: true },
  })
  const url = `${session.urls.get('ordering-application')}/events/acknowledgment`
  const broken = new ReadableStream({ start: (body) => body.error(new Error('it broke off')) })
  const init = { method: 'POST', body: broken, duplex: 'half' }
  const request = new Request(url, init)
  await expect(session.fetch(request)).rejects.toThrow('it broke off')
  await session.close()
  const recorded = await readRecording(file)
  const paths = recorded.ok ? recorded.value.exchanges.map((each) => each.request.url) : undefined
  expect(paths?.filter((path) => path.endsWith('/events/acknowledgment'))).toEqual([])
})
