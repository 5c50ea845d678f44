/** Presigned URLs of examples/kubernetes: the signature that AWS publishes, and files that Sparring reads. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { presignedUrl } from '../../examples/kubernetes/presign.ts'
import { uploadUrlOf } from '../../src/terminal/cli/shards/part-urls.ts'

test('the example of the documentation of S3 has the signature that stands there', () => {
  expect(
    presignedUrl({
      method: 'GET',
      url: 'https://examplebucket.s3.amazonaws.com/test.txt',
      accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
      secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
      region: 'us-east-1',
      expires: 86_400,
      now: new Date('2013-05-24T00:00:00Z'),
    }),
  ).toBe(
    'https://examplebucket.s3.amazonaws.com/test.txt?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=AKIAIOSFODNN7EXAMPLE%2F20130524%2Fus-east-1%2Fs3%2Faws4_request&X-Amz-Date=20130524T000000Z&X-Amz-Expires=86400&X-Amz-SignedHeaders=host&X-Amz-Signature=aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404',
  )
})

const script = fileURLToPath(new URL('../../examples/kubernetes/presign.ts', import.meta.url))
const presign = (...args: readonly string[]) =>
  spawnSync(process.execPath, [script, ...args], {
    encoding: 'utf8',
    env: { AWS_ACCESS_KEY_ID: 'key', AWS_SECRET_ACCESS_KEY: 'secret' },
  })

test('a line for each shard, which only its owner reads, and from which a shard takes its own', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sparring-presign-'))
  expect(presign('http://127.0.0.1:9000/bucket/c', '3', '2', folder)).toMatchObject({ status: 0 })
  for (const name of ['put.txt', 'get.txt']) {
    const file = join(folder, name)
    expect(readFileSync(file, 'utf8').trimEnd().split('\n')).toHaveLength(3)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(await uploadUrlOf(`@${name}`, folder, { part: 2, of: 3 })).toMatch(
      /^http:\/\/127\.0\.0\.1:9000\/bucket\/c\/shard-2\.ndjson\?.*X-Amz-Expires=7200&/,
    )
  }
  await expect(uploadUrlOf('@put.txt', folder, { part: 4, of: 4 })).rejects.toThrow(
    /^reading put\.txt: it has 3 URLs, and this is part 4\./,
  )
})

test('a URL, a number and hours that cannot be meant are refused', () => {
  for (const [args, message] of [
    [['bucket', '3'], /is no URL/],
    [['http://127.0.0.1/b', '0'], /is no number of shards/],
    [['http://127.0.0.1/b', '3', '200'], /is no number of hours/],
  ] as const) {
    const { status, stderr } = presign(...args)
    expect({ status, stderr }).toEqual({ status: 2, stderr: expect.stringMatching(message) })
  }
})
