// Made by generate.py from what `thrift --gen rs` writes.
#![allow(unused_parens, unused_imports, clippy::all)]

use super::types::*;
use thrift::protocol::{TFieldIdentifier, TInputProtocol, TListIdentifier, TOutputProtocol, TSerializable};
use thrift::protocol::{TStructIdentifier, TType, field_id, verify_required_field_exists};

impl TSerializable for Address {
    fn read_from_in_protocol(i_prot: &mut dyn TInputProtocol) -> thrift::Result<Address> {
        i_prot.read_struct_begin()?;
        let mut f_1: Option<String> = None;
        let mut f_2: Option<i32> = None;
        loop {
            let field_ident = i_prot.read_field_begin()?;
            if field_ident.field_type == TType::Stop {
                break;
            }
            let field_id = field_id(&field_ident)?;
            match field_id {
                1 => {
                    let val = i_prot.read_string()?;
                    f_1 = Some(val);
                }
                2 => {
                    let val = i_prot.read_i32()?;
                    f_2 = Some(val);
                }
                _ => {
                    i_prot.skip(field_ident.field_type)?;
                }
            };
            i_prot.read_field_end()?;
        }
        i_prot.read_struct_end()?;
        verify_required_field_exists("Address.street", &f_1)?;
        verify_required_field_exists("Address.number", &f_2)?;
        let ret = Address {
            street: f_1.expect("auto-generated code should have checked for presence of required fields"),
            number: f_2.expect("auto-generated code should have checked for presence of required fields"),
        };
        Ok(ret)
    }
    fn write_to_out_protocol(&self, o_prot: &mut dyn TOutputProtocol) -> thrift::Result<()> {
        let struct_ident = TStructIdentifier::new("Address");
        o_prot.write_struct_begin(&struct_ident)?;
        o_prot.write_field_begin(&TFieldIdentifier::new("street", TType::String, 1))?;
        o_prot.write_string(&self.street)?;
        o_prot.write_field_end()?;
        o_prot.write_field_begin(&TFieldIdentifier::new("number", TType::I32, 2))?;
        o_prot.write_i32(self.number)?;
        o_prot.write_field_end()?;
        o_prot.write_field_stop()?;
        o_prot.write_struct_end()
    }
}

impl TSerializable for Person {
    fn read_from_in_protocol(i_prot: &mut dyn TInputProtocol) -> thrift::Result<Person> {
        i_prot.read_struct_begin()?;
        let mut f_1: Option<String> = None;
        let mut f_2: Option<Vec<Address>> = None;
        let mut f_3: Option<Vec<String>> = None;
        let mut f_4: Option<Vec<String>> = None;
        loop {
            let field_ident = i_prot.read_field_begin()?;
            if field_ident.field_type == TType::Stop {
                break;
            }
            let field_id = field_id(&field_ident)?;
            match field_id {
                1 => {
                    let val = i_prot.read_string()?;
                    f_1 = Some(val);
                }
                2 => {
                    let list_ident = i_prot.read_list_begin()?;
                    let mut val: Vec<Address> = Vec::with_capacity(list_ident.size as usize);
                    for _ in 0..list_ident.size {
                        let list_elem_0 = Address::read_from_in_protocol(i_prot)?;
                        val.push(list_elem_0);
                    }
                    i_prot.read_list_end()?;
                    f_2 = Some(val);
                }
                3 => {
                    let list_ident = i_prot.read_list_begin()?;
                    let mut val: Vec<String> = Vec::with_capacity(list_ident.size as usize);
                    for _ in 0..list_ident.size {
                        let list_elem_1 = i_prot.read_string()?;
                        val.push(list_elem_1);
                    }
                    i_prot.read_list_end()?;
                    f_3 = Some(val);
                }
                4 => {
                    let list_ident = i_prot.read_list_begin()?;
                    let mut val: Vec<String> = Vec::with_capacity(list_ident.size as usize);
                    for _ in 0..list_ident.size {
                        let list_elem_2 = i_prot.read_string()?;
                        val.push(list_elem_2);
                    }
                    i_prot.read_list_end()?;
                    f_4 = Some(val);
                }
                _ => {
                    i_prot.skip(field_ident.field_type)?;
                }
            };
            i_prot.read_field_end()?;
        }
        i_prot.read_struct_end()?;
        verify_required_field_exists("Person.name", &f_1)?;
        verify_required_field_exists("Person.addresses", &f_2)?;
        verify_required_field_exists("Person.mobiles", &f_3)?;
        verify_required_field_exists("Person.emails", &f_4)?;
        let ret = Person {
            name: f_1.expect("auto-generated code should have checked for presence of required fields"),
            addresses: f_2.expect("auto-generated code should have checked for presence of required fields"),
            mobiles: f_3.expect("auto-generated code should have checked for presence of required fields"),
            emails: f_4.expect("auto-generated code should have checked for presence of required fields"),
        };
        Ok(ret)
    }
    fn write_to_out_protocol(&self, o_prot: &mut dyn TOutputProtocol) -> thrift::Result<()> {
        let struct_ident = TStructIdentifier::new("Person");
        o_prot.write_struct_begin(&struct_ident)?;
        o_prot.write_field_begin(&TFieldIdentifier::new("name", TType::String, 1))?;
        o_prot.write_string(&self.name)?;
        o_prot.write_field_end()?;
        o_prot.write_field_begin(&TFieldIdentifier::new("addresses", TType::List, 2))?;
        o_prot.write_list_begin(&TListIdentifier::new(TType::Struct, self.addresses.len() as i32))?;
        for e in &self.addresses {
            e.write_to_out_protocol(o_prot)?;
        }
        o_prot.write_list_end()?;
        o_prot.write_field_end()?;
        o_prot.write_field_begin(&TFieldIdentifier::new("mobiles", TType::List, 3))?;
        o_prot.write_list_begin(&TListIdentifier::new(TType::String, self.mobiles.len() as i32))?;
        for e in &self.mobiles {
            o_prot.write_string(e)?;
        }
        o_prot.write_list_end()?;
        o_prot.write_field_end()?;
        o_prot.write_field_begin(&TFieldIdentifier::new("emails", TType::List, 4))?;
        o_prot.write_list_begin(&TListIdentifier::new(TType::String, self.emails.len() as i32))?;
        for e in &self.emails {
            o_prot.write_string(e)?;
        }
        o_prot.write_list_end()?;
        o_prot.write_field_end()?;
        o_prot.write_field_stop()?;
        o_prot.write_struct_end()
    }
}

impl TSerializable for Root {
    fn read_from_in_protocol(i_prot: &mut dyn TInputProtocol) -> thrift::Result<Root> {
        i_prot.read_struct_begin()?;
        let mut f_1: Option<Vec<Person>> = None;
        loop {
            let field_ident = i_prot.read_field_begin()?;
            if field_ident.field_type == TType::Stop {
                break;
            }
            let field_id = field_id(&field_ident)?;
            match field_id {
                1 => {
                    let list_ident = i_prot.read_list_begin()?;
                    let mut val: Vec<Person> = Vec::with_capacity(list_ident.size as usize);
                    for _ in 0..list_ident.size {
                        let list_elem_3 = Person::read_from_in_protocol(i_prot)?;
                        val.push(list_elem_3);
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
