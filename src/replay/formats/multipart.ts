/** Encodes multipart/form-data. The boundary is constant, so that repeated imports are identical. */
export interface FormPart {
  readonly name: string
  readonly value: string
  readonly fileName?: string
  readonly type?: string
}

const boundary = '------------------------sparring0a1b2c3d4e5f'

export const multipartContentType = `multipart/form-data; boundary=${boundary}`

const quoted = (text: string): string =>
  text.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A')

const partOf = ({ name, value, fileName, type }: FormPart): string =>
  `--${boundary}\r\nContent-Disposition: form-data; name="${quoted(name)}"` +
  (fileName === undefined ? '' : `; filename="${quoted(fileName)}"`) +
  (type === undefined ? '' : `\r\nContent-Type: ${type}`) +
  `\r\n\r\n${value}\r\n`

export const encodeMultipart = (parts: readonly FormPart[]): string =>
  `${parts.map(partOf).join('')}--${boundary}--\r\n`
