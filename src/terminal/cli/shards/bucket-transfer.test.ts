/**
 * Uploads and downloads against a bucket on a real socket: what passes by is tried again, what does not is explained.
 */
import { mkdtempSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { getTextIfThere, putFile } from './bucket-transfer.ts'

interface Answer {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** Gives these answers in turn, the last one again and again. */
async function startBucket(...answers: readonly Answer[]) {
  const requests: { readonly method: string | undefined; readonly body: string }[] = []
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const {
        status,
        headers,
        body: answer,
      } = answers[Math.min(requests.length, answers.length - 1)] ?? { status: 500 }
      requests.push({ method: request.method, body })
      response.writeHead(status, headers).end(answer)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/results/1.ndjson?X-Signature=s3cret`,
    requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function file(content: string): string {
  const path = join(mkdtempSync(join(tmpdir(), 'sparring-upload-')), '1.ndjson')
  writeFileSync(path, content)
  return path
}

function pauses() {
  const all: number[] = []
  const sleep = (ms: number): Promise<void> => {
    all.push(ms)
    return Promise.resolve()
  }
  return { all, sleep }
}

test('a bucket that is busy is asked again, after longer and longer pauses or the one that it names', async () => {
  await using bucket = await startBucket(
    { status: 503 },
    { status: 500 },
    { status: 429, headers: { 'retry-after': '7' } },
    { status: 200 },
  )
  const { all, sleep } = pauses()
  await putFile(bucket.url, file('one\ntwo\n'), { sleep })
  expect(bucket.requests).toEqual(
    Array.from({ length: 4 }, () => ({ method: 'PUT', body: 'one\ntwo\n' })),
  )
  expect(all).toEqual([1000, 2000, 7000])
})

test('the number of attempts has a bound, and no pause is longer than half a minute', async () => {
  await using bucket = await startBucket({ status: 503, headers: { 'retry-after': '86400' } })
  const { all, sleep } = pauses()
  await expect(putFile(bucket.url, file('one\n'), { sleep })).rejects.toMatchObject({
    exit: 3,
    message: expect.stringMatching(/the answer is 503, after 5 attempts\. .*still where it was/),
  })
  expect(bucket.requests).toHaveLength(5)
  expect(all).toEqual(Array(4).fill(30_000))
})

test('a refusal is final: its code is said, and the signature is not', async () => {
  await using bucket = await startBucket({
    status: 403,
    body: '<Error><Code>AccessDenied</Code><Message>expired</Message></Error>',
  })
  const refused = putFile(bucket.url, file('one\n'), pauses())
  await expect(refused).rejects.toThrow(
    /\/results\/1\.ndjson\?…: the answer is 403 \(AccessDenied\)/,
  )
  await expect(refused).rejects.not.toThrow(/s3cret/)
  expect(bucket.requests).toHaveLength(1)
})

test('nobody at the address, and a file that is not there, are problems with exit code 3', async () => {
  const gone = await startBucket({ status: 200 })
  await gone[Symbol.asyncDispose]()
  await expect(putFile(gone.url, file('one\n'), pauses())).rejects.toMatchObject({
    exit: 3,
    message: expect.stringMatching(/ECONNREFUSED.*after 5 attempts/),
  })
  await expect(putFile(gone.url, '/nonexistent/1.ndjson')).rejects.toMatchObject({ exit: 3 })
})

test('what is got is the text, or nothing where nothing is', async () => {
  await using bucket = await startBucket({ status: 502 }, { status: 200, body: 'one\n' })
  expect(await getTextIfThere(bucket.url, pauses())).toBe('one\n')
  await using empty = await startBucket({ status: 404 })
  expect(await getTextIfThere(empty.url, pauses())).toBeUndefined()
})
