/** Imports what curl reports of its transfers: `-v`, `--trace-ascii` and `--trace`. */
import { requestsInPaste } from './curl.ts'
import { createTraceBlockReader, startsTraceBlock } from './curl-trace-blocks.ts'
import { tracePrefix } from './curl-trace-prefix.ts'
import { createCurlTransfers } from './curl-trace-transfers.ts'
import { createVerboseReader } from './curl-verbose-lines.ts'
import {
  defineFormat,
  type ImportedExchange,
  type Importer,
  type ImporterOptions,
} from './format.ts'
import { createLineQueue, type NumberedLine } from './line-queue.ts'
import { createProblemList } from './problem-list.ts'

function createImporter(options: ImporterOptions): Importer {
  const lines = createLineQueue()
  const problems = createProblemList()
  let count = 0
  /** A trace has blocks from its first line on. */
  let isTrace: boolean | undefined
  const transfers = createCurlTransfers(
    options,
    () => (isTrace === true ? blocks.style() : 'text'),
    problems,
  )
  const blocks = createTraceBlockReader(transfers)
  const verbose = createVerboseReader(transfers, (command) =>
    requestsInPaste(command, createProblemList()),
  )

  function take({ text }: NumberedLine): void {
    if (isTrace === undefined && text.trim() === '') return
    isTrace ??= startsTraceBlock(text)
    if (isTrace) blocks.take(text)
    else verbose.take(text)
  }

  function taken(): readonly ImportedExchange[] {
    const ready = transfers.takeReady()
    count += ready.length
    return ready
  }

  return {
    feed(bytes) {
      for (const line of lines.feed(bytes)) take(line)
      return taken()
    },
    finish() {
      for (const line of lines.finish()) take(line)
      blocks.finish()
      transfers.finish()
      const remaining = taken()
      if (count === 0)
        problems.add('the transcript', 'it has no request: no line such as > GET /path HTTP/1.1')
      return {
        remaining,
        problems: [...lines.problems(), ...problems.all()],
        creator: { name: 'curl' },
      }
    },
  }
}

const lineWith = (pattern: string): RegExp =>
  new RegExp(`^${tracePrefix.source.slice(1)}${pattern}`, 'm')
const sentLine = lineWith(String.raw`(?:.*\d)?> [A-Z]{3,20} \S+ HTTP/[\d.]+\r?$`)
const otherLine = lineWith(String.raw`(?:\*(?: |$)|< HTTP/|[{}] \[\d+ bytes data\])`)
const connectLine = lineWith(String.raw`(?:.*\d)?\*\s+(?:Trying|Could not resolve|Host )`)

export const curlTraceFormat = defineFormat({
  name: 'curltrace',
  summary: 'what curl reports with -v, --trace-ascii or --trace, of several transfers too',
  fileExtensions: ['.trace'],
  recognises: (beginning) => {
    const text = new TextDecoder('utf-8').decode(beginning)
    if (text.split('\n', 5).some((line) => startsTraceBlock(line.replace(/\r$/, '')))) return 0.95
    if (sentLine.test(text)) return otherLine.test(text) ? 0.95 : 0.6
    return connectLine.test(text) ? 0.5 : 0
  },
  importer: createImporter,
})
