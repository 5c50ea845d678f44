/** Writes blocks as `curl --trace` and `--trace-ascii` do. */

const hex = (value: number, digits: number): string => value.toString(16).padStart(digits, '0')

const signs = (bytes: Uint8Array): string =>
  [...bytes].map((byte) => (byte >= 32 && byte < 127 ? String.fromCharCode(byte) : '.')).join('')

/** Rows of sixteen bytes. */
function hexRows(bytes: Uint8Array): readonly string[] {
  return Array.from({ length: Math.ceil(bytes.length / 16) }, (_, row) => {
    const part = bytes.subarray(row * 16, row * 16 + 16)
    const digits = [...part].map((byte) => `${hex(byte, 2)} `).join('')
    return `${hex(row * 16, 4)}: ${digits.padEnd(48)}${signs(part)}`
  })
}

/** Rows of up to 64 bytes; CR LF ends a row and is not shown. */
function asciiRows(bytes: Uint8Array): readonly string[] {
  const rows: string[] = []
  for (let at = 0; at < bytes.length;) {
    const lineEnd = Buffer.from(bytes).indexOf('\r\n', at)
    const end = Math.min(lineEnd < 0 ? bytes.length : lineEnd, at + 64)
    rows.push(`${hex(at, 4)}: ${signs(bytes.subarray(at, end))}`)
    at = end === lineEnd ? end + 2 : end
  }
  return rows
}

export function traceBlock(
  what: '=> Send header' | '=> Send data' | '<= Recv header' | '<= Recv data' | '=> Send SSL data',
  content: string | Uint8Array,
  style: 'ascii' | 'hex',
): string {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content
  const rows = style === 'hex' ? hexRows(bytes) : asciiRows(bytes)
  return `${what}, ${bytes.length} bytes (0x${hex(bytes.length, 1)})\n${rows.map((row) => `${row}\n`).join('')}`
}
