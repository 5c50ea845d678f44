/** Text from the wire must not be obeyed by the CI system in whose job it is printed. */
import { Writable } from 'node:stream'
import { expect, test } from 'vitest'
import { createTestIo } from '../../../test/support/test-io.ts'
import { asTerminalText, printJson, printLine } from './io.ts'
import { openReportWriters } from './run/report-writers.ts'
import { createSessionWarnings } from './session-warnings.ts'

const colour = '\u001B[31m'

test.each([
  ['::error::hi', String.raw`\u003a:error::hi`],
  [
    'a\n::set-output name=x::y\nb',
    String.raw`a|\u003a:set-output name=x::y|b`.replaceAll('|', '\n'),
  ],
  ['\t \u00A0::add-mask::***', `\t \u00A0${String.raw`\u003a:`}add-mask::***`],
  ['sparring: ##[error]hi', String.raw`sparring: \u0023#[error]hi`],
  [
    'x ##vso[task.setvariable variable=PATH]y',
    String.raw`x \u0023#vso[task.setvariable variable=PATH]y`,
  ],
  ["##teamcity[testFailed name='x']", String.raw`\u0023#teamcity[testFailed name='x']`],
])('%j is printed as %j', (text, printed) => {
  expect(asTerminalText(text)).toBe(printed)
})

test.each([
  'Order::create()',
  'host [::1]:7100',
  '::1 is loopback',
  '## a heading',
  'C#[0]',
  'std::vector',
  `${colour}a: b${colour}`,
])('%j is printed as it is', (text) => {
  expect(asTerminalText(text)).toBe(text)
})

test('JSON stays JSON with the same value', async () => {
  const { io, written } = createTestIo()
  const value = { note: '##[error] ##vso[x]', other: '::error::' }
  await printJson(io, value)
  expect(written().stdout).not.toContain('##[')
  expect(JSON.parse(written().stdout)).toEqual(value)
})

test('what a collector answers is one line of a warning', async () => {
  const { io, written } = createTestIo()
  createSessionWarnings(io).onWarning('tracing: it refuses spans: no\n::error::pwned')
  await printLine(io.stderr, 'next')
  expect(written().stderr).toBe(
    `${String.raw`sparring: tracing: it refuses spans: no\n::error::pwned`}\nnext\n`,
  )
})

test('a reporter for a CI system writes its commands, and any other one none', async () => {
  const printedBy = async (hasCiCommands: boolean): Promise<string> => {
    let text = ''
    const stdout = new Writable({
      write(chunk: Buffer, _encoding, done) {
        text += String(chunk)
        done()
      },
    })
    const reporter = {
      name: 'one',
      summary: 'of a test',
      form: 'lines',
      ...(hasCiCommands ? { hasCiCommands } : {}),
      finish: () => '::error::found\n',
    } as const
    const io = { ...createTestIo().io, stdout }
    const style = { color: false, quiet: false }
    using writers = await openReportWriters(['one'], io, style, [reporter])
    await writers.writeReport(undefined)
    return text
  }
  expect(await printedBy(true)).toBe('::error::found\n')
  expect(await printedBy(false)).toBe(`${String.raw`\u003a:error::found`}\n`)
})
