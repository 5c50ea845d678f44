/** Asks for a secret on a terminal: what is typed is not shown. */
import { problem } from '../base/problem.ts'

export interface SecretPromptOptions {
  readonly input: NodeJS.ReadableStream & Partial<Pick<NodeJS.ReadStream, 'setRawMode'>>
  readonly output: NodeJS.WritableStream
  readonly question: string
}

/** Longer input is taken for a mistaken paste. */
const maxCharacters = 2000

/** The typed line; undefined at ctrl-c, ctrl-d, or the end of the input. */
export function askSecret({
  input,
  output,
  question,
}: SecretPromptOptions): Promise<string | undefined> {
  if (!input.setRawMode)
    throw problem('asking for a secret', 'there is no terminal to type it on', 'Use the flag.')
  // Before the question: who answers at once would see the secret on the screen, and ctrl-c would end the process.
  input.setRawMode(true)
  input.setEncoding('utf8')
  output.write(question)
  return new Promise((resolve) => {
    let text = ''
    const finish = (answer: string | undefined): void => {
      input.off('data', onData)
      input.off('end', onEnd)
      input.pause()
      input.setRawMode?.(false)
      output.write('\n')
      resolve(answer)
    }
    const onEnd = (): void => finish(undefined)
    const onData = (chunk: string | Buffer): void => {
      // Brackets around a paste are no part of it.
      for (const sign of String(chunk)
        .replaceAll('\u{1b}[200~', '')
        .replaceAll('\u{1b}[201~', '')) {
        if (sign === '\r' || sign === '\n') return finish(text)
        if (sign === '\u{3}' || sign === '\u{4}') return finish(undefined)
        if (sign === '\u{7f}' || sign === '\b') text = text.slice(0, -1)
        else if (sign === '\u{15}') text = ''
        else if (sign >= ' ') text = `${text}${sign}`.slice(0, maxCharacters)
      }
    }
    input.on('data', onData)
    input.on('end', onEnd)
    input.resume()
  })
}
