import { execFileSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { sampleExchange, sampleInfo } from '../../../../test/support/sample-exchange.ts'
import { rawRecordingRefusal } from './raw-recording.ts'
import { createRecorder } from './recorder.ts'

const git = (folder: string, ...args: readonly string[]) =>
  execFileSync('git', [...args], { cwd: folder, stdio: 'pipe' })

/** A git working tree that ignores one folder. */
function tree(): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'sparring-tree-')))
  git(root, 'init', '--quiet')
  writeFileSync(join(root, '.gitignore'), 'recordings/raw/\n')
  mkdirSync(join(root, 'recordings'))
  return root
}

const recorderOf = (file: string, unsafe = false) =>
  createRecorder({
    file,
    redact: false,
    unsafe,
    t0: 0,
    info: { ...sampleInfo, name: 'a' },
  })

async function recordRaw(file: string): Promise<void> {
  const recorder = recorderOf(file)
  if (!recorder.ok) throw new Error(recorder.error)
  recorder.value.record(sampleExchange(1))
  await recorder.value.close()
}

test('a raw recording is allowed where git ignores it, and outside of git only as unsafe', async () => {
  const root = tree()
  expect(rawRecordingRefusal(join(root, 'recordings', 'raw', 'a.rec.ndjson'))).toBeUndefined()
  expect(rawRecordingRefusal(join(root, 'recordings', 'raw', 'long/'))).toBeUndefined()
  const file = join(mkdtempSync(join(tmpdir(), 'sparring-free-')), 'a.rec.ndjson')
  const refused = recorderOf(file)
  expect(refused.ok ? '' : refused.error).toBe(
    `recording raw to ${file}: it is in no git repository that ignores it, and a raw recording holds secrets and people as ` +
      'they were. Record to a place that a repository ignores, leave the redaction on, or say --raw=unsafe ' +
      '(in a configuration unsafe: true)',
  )
  expect(existsSync(file)).toBe(false)
  const unsafe = recorderOf(file, true)
  if (unsafe.ok) await unsafe.value.close()
  expect(statSync(file).mode & 0o777).toBe(0o600)
})

test('elsewhere in a working tree it is refused before the first byte, with an allowed path', () => {
  const root = tree()
  const file = join(root, 'recordings', 'a.rec.ndjson')
  const refused = recorderOf(file)
  expect(refused.ok ? '' : refused.error).toBe(
    `recording raw to ${file}: git does not ignore it, and a raw recording holds secrets and people as they were. ` +
      `Record to an ignored place such as ${join(root, 'recordings', 'raw', 'a.rec.ndjson')}, leave the redaction on, ` +
      'or say --raw=unsafe (in a configuration unsafe: true)',
  )
  expect(existsSync(file)).toBe(false)
})

test.skipIf(process.platform === 'win32')(
  'a raw recording is for its owner only: the file, its torn line, the segments, and what was there before',
  async () => {
    const root = tree()
    const file = join(root, 'recordings/raw/a.rec.ndjson')
    const long = join(root, 'recordings/raw/long/')
    mkdirSync(long, { recursive: true })
    writeFileSync(file, '{"_rec":{torn')
    for (const each of [file, long]) await recordRaw(each)
    const modes = readdirSync(join(root, 'recordings/raw'), { recursive: true, encoding: 'utf8' })
      .map((name) => join(root, 'recordings/raw', name))
      .filter((path) => statSync(path).isFile())
      .map((path) => (statSync(path).mode & 0o777).toString(8))
    expect(modes).toEqual(['600', '600', '600'])
  },
)

test('it is refused when git cannot be asked', () => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'sparring-tree-')))
  // Looks like a working tree, but git rejects it.
  writeFileSync(join(root, '.git'), 'gitdir: /nowhere\n')
  expect(rawRecordingRefusal(join(root, 'a.rec.ndjson'))).toContain(
    'git could not be asked whether it ignores it',
  )
})

test('this repository ignores recordings/raw and does not convert line ends', () => {
  const here = fileURLToPath(new URL('../../../..', import.meta.url))
  expect(rawRecordingRefusal(join(here, 'recordings', 'raw', 'a.rec.ndjson'))).toBeUndefined()
  const told = git(here, 'check-attr', 'eol', '--', 'recordings/a.rec.ndjson').toString()
  expect(told).toContain('eol: lf')
})
