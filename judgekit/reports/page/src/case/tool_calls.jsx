// The tool calls of an output in, their order as a timeline out.

import { Block, Disclosure, Long, Text } from "../ui.jsx";
import { laidOut } from "./kinds.js";

export function ToolCalls({ run, output }) {
  const calls = run.outputs.get(output, "tool_calls");
  if (!calls) return null;
  const steps = [];
  for (let at = 0; at < calls.length; at += 3) steps.push(calls.slice(at, at + 3));
  return (
    <Block title={`Tool calls (${steps.length})`}>
      {steps.length === 0 && <p class="quiet">none made</p>}
      <ol class="timeline">
        {steps.map(([name, args, result]) => (
          <li>
            <strong>
              <Text>{name}</Text>
            </strong>
            {args !== "{}" && <Long label={`Arguments of ${name}`} text={args.length > 80 ? (laidOut(args) ?? args) : args} />}
            {result && (
              <Disclosure summary={`answered: ${result.length > 60 ? `${result.slice(0, 60)}…` : result}`}>
                <Long label={`Answer of ${name}`} text={laidOut(result) ?? result} />
              </Disclosure>
            )}
          </li>
        ))}
      </ol>
    </Block>
  );
}
