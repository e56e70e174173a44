// Made by generate.py from what `thrift --gen rs` writes.
#![allow(unused_parens, unused_imports, clippy::all)]

use super::types::*;
use thrift::protocol::{TFieldIdentifier, TInputProtocol, TListIdentifier, TOutputProtocol, TSerializable};
use thrift::protocol::{TStructIdentifier, TType, field_id, verify_required_field_exists};

impl TSerializable for Counter {
    fn read_from_in_protocol(i_prot: &mut dyn TInputProtocol) -> thrift::Result<Counter> {
        i_prot.read_struct_begin()?;
        let mut f_1: Option<i64> = None;
        let mut f_2: Option<i64> = None;
        loop {
            let field_ident = i_prot.read_field_begin()?;
            if field_ident.field_type == TType::Stop {
                break;
            }
            let field_id = field_id(&field_ident)?;
            match field_id {
                1 => {
                    let val = i_prot.read_i64()?;
                    f_1 = Some(val);
                }
                2 => {
                    let val = i_prot.read_i64()?;
                    f_2 = Some(val);
                }
                _ => {
                    i_prot.skip(field_ident.field_type)?;
                }
            };
            i_prot.read_field_end()?;
        }
        i_prot.read_struct_end()?;
        verify_required_field_exists("Counter.id", &f_1)?;
        verify_required_field_exists("Counter.count", &f_2)?;
        let ret = Counter {
            id: f_1.expect("auto-generated code should have checked for presence of required fields"),
            count: f_2.expect("auto-generated code should have checked for presence of required fields"),
        };
        Ok(ret)
    }
    fn write_to_out_protocol(&self, o_prot: &mut dyn TOutputProtocol) -> thrift::Result<()> {
        let struct_ident = TStructIdentifier::new("Counter");
        o_prot.write_struct_begin(&struct_ident)?;
        o_prot.write_field_begin(&TFieldIdentifier::new("id", TType::I64, 1))?;
        o_prot.write_i64(self.id)?;
        o_prot.write_field_end()?;
        o_prot.write_field_begin(&TFieldIdentifier::new("count", TType::I64, 2))?;
        o_prot.write_i64(self.count)?;
        o_prot.write_field_end()?;
        o_prot.write_field_stop()?;
        o_prot.write_struct_end()
    }
}

impl TSerializable for Root {
    fn read_from_in_protocol(i_prot: &mut dyn TInputProtocol) -> thrift::Result<Root> {
        i_prot.read_struct_begin()?;
        let mut f_1: Option<Vec<Counter>> = None;
        loop {
            let field_ident = i_prot.read_field_begin()?;
            if field_ident.field_type == TType::Stop {
                break;
            }
            let field_id = field_id(&field_ident)?;
            match field_id {
                1 => {
                    let list_ident = i_prot.read_list_begin()?;
                    let mut val: Vec<Counter> = Vec::with_capacity(list_ident.size as usize);
                    for _ in 0..list_ident.size {
                        let list_elem_0 = Counter::read_from_in_protocol(i_prot)?;
                        val.push(list_elem_0);
                    }
                    i_prot.read_list_end()?;
                    f_1 = Some(val);
                }
                _ => {
                    i_prot.skip(field_ident.field_type)?;
                }
            };
            i_prot.read_field_end()?;
        }
        i_prot.read_struct_end()?;
        verify_required_field_exists("Root.value", &f_1)?;
        let ret = Root { value: f_1.expect("auto-generated code should have checked for presence of required fields") };
        Ok(ret)
    }
    fn write_to_out_protocol(&self, o_prot: &mut dyn TOutputProtocol) -> thrift::Result<()> {
        let struct_ident = TStructIdentifier::new("Root");
        o_prot.write_struct_begin(&struct_ident)?;
        o_prot.write_field_begin(&TFieldIdentifier::new("value", TType::List, 1))?;
        o_prot.write_list_begin(&TListIdentifier::new(TType::Struct, self.value.len() as i32))?;
        for e in &self.value {
            e.write_to_out_protocol(o_prot)?;
        }
        o_prot.write_list_end()?;
        o_prot.write_field_end()?;
        o_prot.write_field_stop()?;
        o_prot.write_struct_end()
    }
}
