/** What `sparring explore` and `explore merge` refuse before anything is played, each with what to do. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { exploreFolder, runVerbIn } from '../../../test/support/explore-verb.ts'
import { runInProcess } from '../../../test/support/campaign-in-process.ts'

const polled = ['explore', '--as', 'software-service'] as const

type Env = Readonly<Record<string, string>>

const refused: readonly (
  | readonly [argv: readonly string[], message: RegExp]
  | readonly [argv: readonly string[], message: RegExp, env: Env]
)[] = [
  [['explore'], /nothing says which role it plays/],
  [[...polled, '--workload', 'takout'], /there is no workload "takout".*Did you mean "takeout"/],
  [[...polled, '--workload', 'gone.yaml'], /^reading gone\.yaml: .*ENOENT/],
  [
    [...polled, '--workload', 'takeout', '--workload', 'takeout'],
    /two workloads are called "takeout"/,
  ],
  [
    [...polled, '--subject', 'https://pos.example.com'],
    /pos\.example\.com is not this machine.*say --allow-target pos\.example\.com/,
  ],
  [
    [...polled, '--reset', 'http://10.0.0.7/reset'],
    /10\.0\.0\.7 is not this machine.*say --allow-target 10\.0\.0\.7/,
  ],
  [[...polled, '--reset', 'HTTPS://pos.example.com'], /pos\.example\.com is not this machine/],
  [
    [...polled, '--reset', 'localhost:3000/reset'],
    /^reading --reset: "localhost:3000\/reset" is no http.* Write http:\/\/localhost:3000\/reset\.$/,
  ],
  [[...polled, '--reset', '//127.0.0.1/reset'], /Write http:\/\/127\.0\.0\.1\/reset\.$/],
  [[...polled, '--reset', 'http:/127.0.0.1/reset'], /is no http or https URL/],
  [[...polled, '--reset', 'ftp://127.0.0.1/reset'], /is no http or https URL/],
  [[...polled, '--reset', ' http://127.0.0.1/reset'], /is no http or https URL/],
  [[...polled, '--reset', 'http://'], /Write http:\/\/127\.0\.0\.1:3000\/reset\.$/],
  [[...polled, '--shard', '9/8'], /^reading --shard: "9\/8" is no part of a whole/],
  [[...polled, '--shard', '2/8'], /part 2 of 8 \(--shard\): all parts need the same seed/],
  [[...polled, '--shards', '8'], /nothing says which of the parts this is/],
  [polled, /reading JOB_COMPLETION_INDEX: .*--shards/, { JOB_COMPLETION_INDEX: '3' }],
  [polled, /9 is no part of 8/, { CI_NODE_INDEX: '9', CI_NODE_TOTAL: '8' }],
  [[...polled, '--max-time', 'soon'], /^reading --max-time: "soon" is no duration/],
  [[...polled, '--resume'], /nothing says which campaign is continued/],
  [[...polled, '--upload', 'http://127.0.0.1:1/x'], /nothing is written that could be uploaded/],
  [[...polled, '--out', 'a', '--upload', 'bucket/x'], /^reading --upload: it is no URL/],
  [[...polled, '--shard', 'auto', '--seed', '1'], /^reading --shard: nothing says which/],
  [[...polled, '--clock', 'stepped'], /a stepped clock waits for you/],
  [['explore', '--as', 'ordering-application'], /only a Software Service that polls is found/],
  [
    ['explore', '--as', 'ordering-application', '--subject', 'http://127.0.0.1:1', '--ghosts'],
    /^reading --ghosts: your service is ordering-application, and only a Software Service has a store/,
  ],
  [[...polled, '--corpus', 'sparring.config.yaml'], /^reading the folder .*ENOTDIR/],
]

test.each(refused)('%j is refused', async (argv, message, env = {}) => {
  const error: unknown = await runVerbIn(argv, exploreFolder(), env).catch(
    (thrown: unknown) => thrown,
  )
  expect(error).toMatchObject({ exit: 2 })
  expect((error as Error).message).toMatch(message)
})

test(
  'broken record files, and those of different campaigns, are refused with their place',
  { tags: ['slow'] },
  async () => {
    const cwd = exploreFolder()
    const merge = (...files: readonly string[]) => runVerbIn(['explore', 'merge', ...files], cwd)
    const base = { defects: [], workloads: ['takeout'], maxRuns: 4 }
    const shard = (part: number) => ({ part, of: 2 })
    await runInProcess({ ...base, file: join(cwd, 'a.ndjson'), seed: 1, shard: shard(1) })
    await runInProcess({ ...base, file: join(cwd, 'b.ndjson'), seed: 2, shard: shard(2) })
    await runInProcess({ ...base, file: join(cwd, 'c.ndjson'), seed: 1 })
    writeFileSync(join(cwd, 'text.ndjson'), 'no JSON\n')
    writeFileSync(join(cwd, 'other.ndjson'), '{"type":"http"}\n')
    await expect(merge('gone.ndjson')).rejects.toThrow(/^reading gone\.ndjson: .*ENOENT/)
    await expect(merge('text.ndjson')).rejects.toThrow(
      /^reading text\.ndjson:1: it is no JSON\. Name/,
    )
    await expect(merge('other.ndjson')).rejects.toThrow(/^reading other\.ndjson:1: type is "http"/)
    await expect(merge('a.ndjson', 'b.ndjson')).rejects.toThrow(
      /^merging the parts of a campaign: its seed is 1 in a\.ndjson, and 2 in b\.ndjson\. Merge/,
    )
    await expect(merge('a.ndjson', 'c.ndjson')).rejects.toThrow(
      /c\.ndjson is one of 1 parts, and a\.ndjson one of 2/,
    )
    await expect(merge('a.ndjson', 'a.ndjson')).rejects.toThrow(/are both part 1 of 2\. Name each/)
    const alone = await merge('a.ndjson')
    expect(alone).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('1 of 2 parts are missing'),
    })
  },
)
