/**
 * Parts of a run that are uploaded to a bucket by presigned URLs and merged from it, and what is refused on the way.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runInProcess as runCampaign } from '../../../../test/support/campaign-in-process.ts'
import { exploreFolder } from '../../../../test/support/explore-verb.ts'
import {
  type PresignedBucket,
  startPresignedBucket,
} from '../../../../test/support/presigned-bucket.ts'
import { runInProcess } from '../../../../test/support/run-in-process.ts'
import { emptyFolder } from '../../../../test/support/spawn-sparring.ts'

const scenario = (title: string): string => `name: ${title}
about: It is accepted.
subject: none
orders:
  o1: { type: TAKEOUT }
steps:
  - create: o1
expect:
  statuses: { o1: CREATED }
`

const partNames = [1, 2].map((part) => `part-${part}.ndjson`)

/** A folder with two scenarios, a part each, and the URLs of both parts for each method. */
function folderOf(bucket?: PresignedBucket): string {
  const cwd = emptyFolder()
  for (const title of ['one', 'two']) writeFileSync(join(cwd, `${title}.yaml`), scenario(title))
  for (const method of bucket ? (['PUT', 'GET'] as const) : []) {
    const urls = partNames.map((name) => bucket?.url(method, name))
    writeFileSync(join(cwd, `${method}.txt`), `# of both parts\n${urls.join('\n')}\n`)
  }
  return cwd
}

const playPart = (cwd: string, part: number, ...flags: readonly string[]) =>
  runInProcess(
    `run one.yaml two.yaml --shard ${part}/2 --out part-{part}.ndjson`.split(' ').concat(flags),
    { cwd },
  )

const merge = (cwd: string, ...argv: readonly string[]) =>
  runInProcess(['run', 'merge', ...argv], { cwd })

test('each part is put to its own line of a file of URLs, again after a 503, and a merge by URLs reports all of them', async () => {
  await using bucket = await startPresignedBucket()
  const cwd = folderOf(bucket)
  bucket.scripted.push({ status: 503, headers: { 'retry-after': '0' } })
  for (const part of [1, 2])
    expect(await playPart(cwd, part, '--upload', '@PUT.txt')).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/uploaded part-\d\.ndjson to http:\S+ndjson\?…\n$/),
    })
  expect(bucket.answers).toEqual([
    'PUT part-1.ndjson 503',
    'PUT part-1.ndjson 200',
    'PUT part-2.ndjson 200',
  ])
  const local = await merge(cwd, ...partNames, '--reporter', 'tap')
  expect(local).toMatchObject({ code: 0, stdout: expect.stringContaining('1..2') })
  // From nothing but the bucket.
  const elsewhere = folderOf(bucket)
  expect(await merge(elsewhere, '@GET.txt', '--reporter', 'tap')).toEqual(local)
})

test('a merge that waits asks the bucket until the late part is there; what never comes is named, without its signature', async () => {
  await using bucket = await startPresignedBucket()
  const cwd = folderOf(bucket)
  await playPart(cwd, 1, '--upload', '@PUT.txt')
  const early = await merge(cwd, '@GET.txt', '--wait', '300ms')
  expect(early).toMatchObject({
    code: 3,
    stdout: expect.stringContaining('one'),
    stderr: expect.stringMatching(
      /of the parts 1 did not end within 300ms: .*part-2\S+\?…: it is not there/,
    ),
  })
  expect(early.stderr).not.toContain('X-Signature')
  const waiting = merge(cwd, '@GET.txt', '--wait', '30s')
  await expect.poll(() => bucket.answers.at(-1)).toBe('GET part-2.ndjson 404')
  await playPart(cwd, 2, '--upload', '@PUT.txt')
  expect(await waiting).toMatchObject({ code: 0, stderr: '' })
})

test('a refused PUT is exit code 3, the records stay, and the next time they are put without being played again', async () => {
  await using bucket = await startPresignedBucket()
  const cwd = folderOf(bucket)
  const refused = await playPart(cwd, 1, '--upload', bucket.url('GET', 'part-{part}.ndjson'))
  expect(refused).toMatchObject({
    code: 3,
    stderr: expect.stringMatching(
      /^sparring: uploading \S+part-1\.ndjson to \S+\?…: the answer is 403 \(SignatureDoesNotMatch\)\. Its signature may have expired.* still where it was\.$/m,
    ),
  })
  expect(bucket.answers).toEqual(['PUT part-1.ndjson 403'])
  // Without --resume the records are not overwritten.
  expect(await playPart(cwd, 1, '--upload', '@PUT.txt')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(
      'part-1.ndjson: it is there already. Continue it with --resume',
    ),
  })
  expect(bucket.answers).toHaveLength(1)
  expect(await playPart(cwd, 1, '--resume', '--upload', '@PUT.txt')).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('1 run of it are not played again'),
  })
  expect(bucket.objects.get('part-1.ndjson')).toBe(readFileSync(join(cwd, 'part-1.ndjson'), 'utf8'))
})

test('what flags left out is reported by each part and by their merge, with its reason', async () => {
  const cwd = folderOf()
  writeFileSync(join(cwd, 'three.yaml'), scenario('three'))
  const flags = 'one.yaml two.yaml three.yaml --grep E --reporter json --out'
  for (const part of [1, 2])
    await runInProcess(`run --shard ${part}/2 ${flags} part-{part}.ndjson`.split(' '), { cwd })
  const whole = await runInProcess(`run ${flags} whole.ndjson`.split(' '), { cwd })
  const merged = await merge(cwd, ...partNames, '--reporter', 'json')
  const notSelected = [{ runs: 1, because: 'without "E" in the title' }]
  for (const { stdout } of [whole, merged])
    expect(JSON.parse(stdout)).toMatchObject({ passed: 2, notSelected })
  expect((await merge(cwd, ...partNames)).stdout).toContain(
    'not selected: 1 run without "E" in the title',
  )
})

test('a part that is in the bucket already takes the place of the one there, and a bucket that keeps it says so', async () => {
  await using bucket = await startPresignedBucket()
  const cwd = folderOf(bucket)
  bucket.objects.set('part-1.ndjson', 'of an earlier time\n')
  expect(await playPart(cwd, 1, '--upload', '@PUT.txt')).toMatchObject({ code: 0 })
  expect(bucket.objects.get('part-1.ndjson')).toBe(readFileSync(join(cwd, 'part-1.ndjson'), 'utf8'))
  bucket.scripted.push({ status: 412, body: '<Error><Code>PreconditionFailed</Code></Error>' })
  expect(await playPart(cwd, 1, '--resume', '--upload', '@PUT.txt')).toMatchObject({
    code: 3,
    stderr: expect.stringMatching(
      /the answer is 412 \(PreconditionFailed\)\. The bucket keeps what is there already: remove it/,
    ),
  })
})

test('parts of different runs are not merged, from files or from URLs', async () => {
  await using bucket = await startPresignedBucket()
  const cwd = folderOf(bucket)
  const play = (line: string) => runInProcess(['run', ...line.split(' ')], { cwd })
  await playPart(cwd, 1, '--upload', '@PUT.txt')
  writeFileSync(join(cwd, 'three.yaml'), scenario('three'))
  await play('one.yaml three.yaml --shard 2/2 --out other.ndjson')
  await play('one.yaml --out whole.ndjson')
  await play('one.yaml two.yaml --shard 2/2 --repeat 2 --out repeated.ndjson')
  await play('one.yaml two.yaml --shard 1/3 --out third.ndjson')
  const begun = 'sparring: merging the parts of a run: '
  const wrong: readonly (readonly [string, string])[] = [
    ['other.ndjson', 'part-1.ndjson and other.ndjson are of different scenarios'],
    ['whole.ndjson', 'the number of runs is 2 in part-1.ndjson, and 1 in whole.ndjson'],
    ['repeated.ndjson', 'the number of runs is 2 in part-1.ndjson, and 4 in repeated.ndjson'],
    ['third.ndjson', 'part-1.ndjson is part 1 of 2, and third.ndjson part 1 of 3'],
    ['part-1.ndjson', 'part-1.ndjson and part-1.ndjson are both part 1 of 2'],
  ]
  for (const [file, because] of wrong) {
    const { code, stdout, stderr } = await merge(cwd, 'part-1.ndjson', file)
    expect({ code, stdout, stderr }).toEqual({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining(`${begun}${because}. `),
    })
  }
  const url = bucket.url('GET', 'part-1.ndjson')
  const mixed = await merge(cwd, url, 'other.ndjson')
  expect(mixed).toMatchObject({ code: 2, stderr: expect.stringContaining('are of different') })
  expect(mixed.stderr).not.toContain('X-Signature')
})

test('explore merge reads the parts of a campaign from the bucket as it does from files', async () => {
  await using bucket = await startPresignedBucket()
  const cwd = exploreFolder()
  for (const part of [1, 2]) {
    const file = join(cwd, `part-${part}.ndjson`)
    const base = { defects: [], workloads: ['takeout'], seed: 1, maxRuns: 4 }
    await runCampaign({ ...base, file, shard: { part, of: 2 } })
    bucket.objects.set(`part-${part}.ndjson`, readFileSync(file, 'utf8'))
  }
  const mergeCampaign = (name: string) =>
    runInProcess(['explore', 'merge', name, '--shards', '2', '--json'], { cwd })
  const merged = await mergeCampaign(bucket.url('GET', 'part-{part}.ndjson'))
  expect(merged).toMatchObject({ code: 0, stderr: '' })
  expect(bucket.answers.toSorted()).toEqual(['GET part-1.ndjson 200', 'GET part-2.ndjson 200'])
  const reportOf = (text: string): object => JSON.parse(text) as object
  const local = await mergeCampaign('part-{part}.ndjson')
  expect(reportOf(merged.stdout)).toEqual({
    ...reportOf(local.stdout),
    merged: partNames.map((name) => `${new URL(bucket.url('GET', name)).origin}/${name}?…`),
  })

  // What was not searched has no findings: a part that is missing or unfinished is no success.
  const alone = await runInProcess(['explore', 'merge', 'part-1.ndjson', '--json'], { cwd })
  expect(alone).toMatchObject({ code: 3, stderr: 'sparring: 1 of 2 parts are missing\n' })
  expect(reportOf(alone.stdout)).toMatchObject({ ok: false, halted: '1 of 2 parts are missing' })
  const second = join(cwd, 'part-2.ndjson')
  const lines = readFileSync(second, 'utf8').trimEnd().split('\n')
  writeFileSync(second, `${lines.slice(0, -1).join('\n')}\n`)
  for (const quiet of [[], ['--quiet']]) {
    const unfinished = await runInProcess(
      ['explore', 'merge', 'part-{part}.ndjson', '--shards', '2', '--json', ...quiet],
      { cwd },
    )
    expect(unfinished.code).toBe(3)
    expect(reportOf(unfinished.stdout)).toMatchObject({
      ok: false,
      halted: 'part-2.ndjson has not ended: continue it with --resume, and merge again',
    })
  }
})
