/** Writes, and waits while the reader at the other end cannot keep up: output is never piled up in memory. */
export async function writeAll(stream: NodeJS.WritableStream, text: string): Promise<void> {
  if (stream.write(text)) return
  await new Promise<void>((resolve) => {
    const settled = () => {
      for (const name of ['drain', 'close', 'error']) stream.off(name, settled)
      resolve()
    }
    for (const name of ['drain', 'close', 'error']) stream.on(name, settled)
  })
}
