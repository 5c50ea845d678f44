/** Imports what curl reports of its transfers: `-v`, `--trace-ascii` and `--trace`. */
import { requestsInPaste } from './curl.ts'
import { tracePrefix, timeOfDayMs } from './curl-trace-prefix.ts'
import { createCurlTransfers, type CurlTransfers } from './curl-trace-transfers.ts'
import { createVerboseReader } from './curl-verbose-lines.ts'
import {
  defineFormat,
  type ImportedExchange,
  type Importer,
  type ImporterOptions,
} from './format.ts'
import { createLineQueue, type NumberedLine } from './line-queue.ts'
import { createProblemList } from './problem-list.ts'
import { joinedBytes } from './byte-queue.ts'
import type { BodyStyle } from './curl-trace-exchange.ts'

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

interface TraceBlockReader {
  readonly take: (line: string) => void
  readonly finish: () => void
  /** Hexadecimal rows have every byte; those in ASCII have dots. */
  readonly style: () => BodyStyle
}

interface Row {
  readonly offset: number
  readonly text: string
}

interface Block {
  readonly isSent: boolean
  readonly kind: 'header' | 'data' | 'tls'
  readonly size: number
  readonly at: number | undefined
  readonly rows: Row[]
}

const blockStart =
  /^(?:== Info: ?(.*)|(=>|<=) (?:Send|Recv) (SSL )?(header|data), (\d{1,12}) bytes \(0x[\da-f]+\))$/
const rowPattern = /^([\da-f]{4,8}): ?(.*)$/
const hexRow = /^(?:[\da-f]{2} ){3}/
/** Sixteen bytes of two digits and a blank; behind them they stand as ASCII. */
const hexColumns = 48

const encoder = new TextEncoder()

const startsTraceBlock = (line: string): boolean => blockStart.test(line.replace(tracePrefix, ''))

function bytesOfHex(rows: readonly Row[]): Uint8Array {
  return joinedBytes(
    rows.map(({ text }) =>
      Uint8Array.from(text.slice(0, hexColumns).trim().split(/ +/), (digits) =>
        Number.parseInt(digits, 16),
      ),
    ),
  )
}

function bytesOfAscii({ rows, size }: Block): Uint8Array {
  const text = rows.map((row, index) => {
    const gap = (rows[index + 1]?.offset ?? size) - row.offset - row.text.length
    // Editors cut blanks at the end of a line.
    return row.text + (gap >= 2 ? `${' '.repeat(Math.min(gap - 2, 64))}\r\n` : gap === 1 ? ' ' : '')
  })
  return encoder.encode(text.join(''))
}

/**
 * Reads the blocks of `curl --trace` and `--trace-ascii`: a line that says which bytes follow, and rows with their
 * offsets. In ASCII a row ends where the bytes have CR LF, which its offset and that of the next tell.
 */
function createTraceBlockReader(transfers: CurlTransfers): TraceBlockReader {
  let block: Block | undefined
  let style: BodyStyle | undefined

  function endBlock(): void {
    const ended = block
    block = undefined
    if (!ended || ended.kind === 'tls') return
    style ??= hexRow.test(ended.rows[0]?.text ?? '') ? 'wire' : 'dots'
    const bytes = style === 'wire' ? bytesOfHex(ended.rows) : bytesOfAscii(ended)
    if (ended.kind === 'header') endHeader(ended, bytes)
    else if (ended.isSent) transfers.sentData(bytes)
    else transfers.receivedData(bytes, ended.at)
  }

  function endHeader({ isSent, at }: Block, bytes: Uint8Array): void {
    const text = new TextDecoder('latin1').decode(bytes).replace(/\r?\n$/, '')
    for (const line of text.split(/\r?\n/))
      if (isSent) transfers.sentHeader(line, at)
      else transfers.receivedHeader(line, at)
  }

  function begin(line: string): boolean {
    const prefix = tracePrefix.exec(line)
    const found = blockStart.exec(line.slice(prefix?.[0].length ?? 0))
    if (!found) return false
    endBlock()
    const [, info, direction, tls, kind, size = '0'] = found
    if (info !== undefined) transfers.info(info)
    else {
      if (tls !== undefined) transfers.info('SSL connection')
      block = {
        isSent: direction === '=>',
        kind: tls === undefined ? (kind === 'header' ? 'header' : 'data') : 'tls',
        size: Number(size),
        at: timeOfDayMs(prefix?.[1]),
        rows: [],
      }
    }
    return true
  }

  return {
    take(line) {
      if (begin(line)) return
      const [, offset = '', text = ''] = rowPattern.exec(line) ?? []
      if (offset !== '' && block && block.kind !== 'tls')
        block.rows.push({ offset: Number.parseInt(offset, 16), text })
      else if (/^curl: \(\d+\) /.test(line)) transfers.failed(line)
    },
    finish: endBlock,
    style: () => style ?? 'dots',
  }
}
