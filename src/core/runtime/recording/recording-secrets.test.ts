// @module-tag slow
/** No secret or personal data reaches the disk in clear text, in the recording or beside it. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, existsSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import {
  canaryKinds,
  canaryEncodings,
  exchangeWithCanaries,
  decodeAll,
} from '../../../../test/support/canaries.ts'
import { sampleExchange, sampleInfo, sampleT0 } from '../../../../test/support/sample-exchange.ts'
import { createRecorder } from './recorder.ts'
import { redactionKeyFrom } from './redaction-key.ts'

const key = redactionKeyFrom(Buffer.alloc(32, 7))

function recorderOn(file: string) {
  const recorder = createRecorder({
    file,
    t0: sampleT0,
    redact: true,
    key,
    info: { ...sampleInfo, name: 'x' },
  })
  if (!recorder.ok) throw new Error(recorder.error)
  return recorder.value
}

/** Every file in the folder, decoded recursively. */
const everythingIn = (folder: string): string =>
  readdirSync(folder)
    .flatMap((name) => [name, ...readFileSync(join(folder, name), 'latin1').split('\n')])
    .map(decodeAll)
    .join('\n')

const folderOf = () => mkdtempSync(join(tmpdir(), 'sparring-secrets-'))

test('canaries of every class and encoding occur in no decoding of the file', async () => {
  const folder = folderOf()
  const recorder = recorderOn(join(folder, 'x.rec.ndjson'))
  const traces = new Set<string>()
  let seq = 0
  // Matrix of classes and encodings: each class with one encoding, each encoding with at least one class.
  for (const [index, kind] of canaryKinds.entries()) {
    const encoding = Object.keys(canaryEncodings)[index % Object.keys(canaryEncodings).length] ?? ''
    const planted = exchangeWithCanaries(sampleExchange(++seq), kind, encoding)
    const before = JSON.stringify(planted.value)
    recorder.record(planted.value)
    for (const trace of planted.traces.keys()) traces.add(trace)
    // The live message is unchanged.
    expect(JSON.stringify(planted.value)).toBe(before)
  }
  await recorder.close()
  const found = everythingIn(folder)
  expect(found).toContain('"counts":{"http"')
  expect([...traces].filter((trace) => found.includes(trace))).toEqual([])
})

test.each([15, 40])(
  'killed after %i exchanges with secrets: no file left behind has one in clear text',
  async (enough) => {
    const folder = folderOf()
    const file = join(folder, 'x.rec.ndjson')
    const fixture = fileURLToPath(
      new URL('../../../../test/support/kill-with-secrets.ts', import.meta.url),
    )
    const child = spawn(process.execPath, [fixture, file], { stdio: ['ignore', 'pipe', 'inherit'] })
    const traces = new Set<string>()
    let told = 0
    let rest = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      const rows = (rest + text).split('\n')
      rest = rows.pop() ?? ''
      told += rows.length
      for (const row of rows) for (const trace of row.split('\t')) traces.add(trace)
    })
    const lines = () => (existsSync(file) ? readFileSync(file, 'utf8').split('\n').length : 0)
    while (told < enough || lines() < 3) await pause(5)
    child.kill('SIGKILL')
    await once(child, 'close')

    expect(readdirSync(folder).length).toBeGreaterThan(0)
    const left = everythingIn(folder)
    expect([...traces].filter((trace) => left.includes(trace))).toEqual([])

    // A partial line from a crash is set aside, redacted as well.
    const [, line = ''] = readFileSync(file, 'utf8').split('\n')
    appendFileSync(file, line.slice(0, Math.floor(line.length / 2)))
    const recorder = recorderOn(file)
    recorder.record(sampleExchange(1))
    await recorder.close()
    expect(readdirSync(folder)).toContain('x.rec.ndjson.torn')
    const torn = decodeAll(readFileSync(`${file}.torn`, 'latin1'))
    expect(torn.length).toBeGreaterThan(line.length / 3)
    expect([...traces].filter((trace) => torn.includes(trace))).toEqual([])
  },
)
