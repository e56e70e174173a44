// Node: gets all people, and adds one, in Protobuf. node client.mjs [URL]
import { client } from "../../clients/typescript/dist/index.js";
import { json } from "../../clients/typescript/dist/formats/json/index.js";
import { protobuf, protobufEncoder } from "../../clients/typescript/dist/formats/protobuf/index.js";

const api = client({ url: process.argv[2] ?? "http://127.0.0.1:8080", formats: [protobuf, json] });
const people = await api.get("/people");
console.log(`${people.length} people; the first is ${people[0].name}`);

const ada = {
  name: "Ada Lovelace",
  addresses: [{ street: "St James's Square", number: 12 }],
  mobiles: [],
  emails: ["ada@example.org"],
};
const { status } = await api.post("/people", [ada], { format: protobufEncoder });
console.log(`the answer is ${status}`);
