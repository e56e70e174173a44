// Made by generate.py from what `thrift --gen rs` writes.
#![allow(unused_parens, unused_imports, clippy::all)]

use super::types::*;
use thrift::protocol::{TFieldIdentifier, TInputProtocol, TListIdentifier, TOutputProtocol, TSerializable};
use thrift::protocol::{TStructIdentifier, TType, field_id, verify_required_field_exists};

impl TSerializable for Point {
    fn read_from_in_protocol(i_prot: &mut dyn TInputProtocol) -> thrift::Result<Point> {
        i_prot.read_struct_begin()?;
        let mut f_1: Option<i64> = None;
        let mut f_2: Option<f64> = None;
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
                    let val = (i_prot.read_double()?);
                    f_2 = Some(val);
                }
                _ => {
                    i_prot.skip(field_ident.field_type)?;
                }
            };
            i_prot.read_field_end()?;
        }
        i_prot.read_struct_end()?;
        verify_required_field_exists("Point.t", &f_1)?;
        verify_required_field_exists("Point.value", &f_2)?;
        let ret = Point {
            t: f_1.expect("auto-generated code should have checked for presence of required fields"),
            value: f_2.expect("auto-generated code should have checked for presence of required fields"),
        };
        Ok(ret)
    }
    fn write_to_out_protocol(&self, o_prot: &mut dyn TOutputProtocol) -> thrift::Result<()> {
        let struct_ident = TStructIdentifier::new("Point");
        o_prot.write_struct_begin(&struct_ident)?;
        o_prot.write_field_begin(&TFieldIdentifier::new("t", TType::I64, 1))?;
        o_prot.write_i64(self.t)?;
        o_prot.write_field_end()?;
        o_prot.write_field_begin(&TFieldIdentifier::new("value", TType::Double, 2))?;
        o_prot.write_double(self.value.into())?;
        o_prot.write_field_end()?;
        o_prot.write_field_stop()?;
        o_prot.write_struct_end()
    }
}

impl TSerializable for Labels {
    fn read_from_in_protocol(i_prot: &mut dyn TInputProtocol) -> thrift::Result<Labels> {
        i_prot.read_struct_begin()?;
        let mut f_1: Option<String> = None;
        let mut f_2: Option<String> = None;
        let mut f_3: Option<String> = None;
        let mut f_4: Option<String> = None;
        let mut f_5: Option<String> = None;
        let mut f_6: Option<String> = None;
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
                    let val = i_prot.read_string()?;
                    f_2 = Some(val);
                }
                3 => {
                    let val = i_prot.read_string()?;
                    f_3 = Some(val);
                }
                4 => {
                    let val = i_prot.read_string()?;
                    f_4 = Some(val);
                }
                5 => {
                    let val = i_prot.read_string()?;
                    f_5 = Some(val);
                }
                6 => {
                    let val = i_prot.read_string()?;
                    f_6 = Some(val);
                }
                _ => {
                    i_prot.skip(field_ident.field_type)?;
                }
            };
            i_prot.read_field_end()?;
        }
        i_prot.read_struct_end()?;
        verify_required_field_exists("Labels.service", &f_1)?;
        verify_required_field_exists("Labels.region", &f_2)?;
        verify_required_field_exists("Labels.host", &f_3)?;
        verify_required_field_exists("Labels.method", &f_4)?;
        verify_required_field_exists("Labels.route", &f_5)?;
        verify_required_field_exists("Labels.status", &f_6)?;
        let ret = Labels {
            service: f_1.expect("auto-generated code should have checked for presence of required fields"),
            region: f_2.expect("auto-generated code should have checked for presence of required fields"),
            host: f_3.expect("auto-generated code should have checked for presence of required fields"),
            method: f_4.expect("auto-generated code should have checked for presence of required fields"),
            route: f_5.expect("auto-generated code should have checked for presence of required fields"),
            status: f_6.expect("auto-generated code should have checked for presence of required fields"),
        };
        Ok(ret)
    }
    fn write_to_out_protocol(&self, o_prot: &mut dyn TOutputProtocol) -> thrift::Result<()> {
        let struct_ident = TStructIdentifier::new("Labels");
        o_prot.write_struct_begin(&struct_ident)?;
        o_prot.write_field_begin(&TFieldIdentifier::new("service", TType::String, 1))?;
        o_prot.write_string(&self.service)?;
        o_prot.write_field_end()?;
        o_prot.write_field_begin(&TFieldIdentifier::new("region", TType::String, 2))?;
        o_prot.write_string(&self.region)?;
        o_prot.write_field_end()?;
        o_prot.write_field_begin(&TFieldIdentifier::new("host", TType::String, 3))?;
        o_prot.write_string(&self.host)?;
        o_prot.write_field_end()?;
        o_prot.write_field_begin(&TFieldIdentifier::new("method", TType::String, 4))?;
        o_prot.write_string(&self.method)?;
        o_prot.write_field_end()?;
        o_prot.write_field_begin(&TFieldIdentifier::new("route", TType::String, 5))?;
        o_prot.write_string(&self.route)?;
        o_prot.write_field_end()?;
        o_prot.write_field_begin(&TFieldIdentifier::new("status", TType::String, 6))?;
        o_prot.write_string(&self.status)?;
        o_prot.write_field_end()?;
        o_prot.write_field_stop()?;
        o_prot.write_struct_end()
    }
}

impl TSerializable for TimeSeries {
    fn read_from_in_protocol(i_prot: &mut dyn TInputProtocol) -> thrift::Result<TimeSeries> {
        i_prot.read_struct_begin()?;
        let mut f_1: Option<String> = None;
        let mut f_2: Option<String> = None;
        let mut f_3: Option<Labels> = None;
        let mut f_4: Option<i64> = None;
        let mut f_5: Option<Vec<Point>> = None;
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
                    let val = i_prot.read_string()?;
                    f_2 = Some(val);
                }
                3 => {
                    let val = Labels::read_from_in_protocol(i_prot)?;
                    f_3 = Some(val);
                }
                4 => {
                    let val = i_prot.read_i64()?;
                    f_4 = Some(val);
                }
                5 => {
                    let list_ident = i_prot.read_list_begin()?;
                    let mut val: Vec<Point> = Vec::with_capacity(list_ident.size as usize);
                    for _ in 0..list_ident.size {
                        let list_elem_0 = Point::read_from_in_protocol(i_prot)?;
                        val.push(list_elem_0);
                    }
                    i_prot.read_list_end()?;
                    f_5 = Some(val);
                }
                _ => {
                    i_prot.skip(field_ident.field_type)?;
                }
            };
            i_prot.read_field_end()?;
        }
        i_prot.read_struct_end()?;
        verify_required_field_exists("TimeSeries.name", &f_1)?;
        verify_required_field_exists("TimeSeries.unit", &f_2)?;
        verify_required_field_exists("TimeSeries.labels", &f_3)?;
        verify_required_field_exists("TimeSeries.start", &f_4)?;
        verify_required_field_exists("TimeSeries.points", &f_5)?;
        let ret = TimeSeries {
            name: f_1.expect("auto-generated code should have checked for presence of required fields"),
            unit: f_2.expect("auto-generated code should have checked for presence of required fields"),
            labels: f_3.expect("auto-generated code should have checked for presence of required fields"),
            start: f_4.expect("auto-generated code should have checked for presence of required fields"),
            points: f_5.expect("auto-generated code should have checked for presence of required fields"),
        };
        Ok(ret)
    }
    fn write_to_out_protocol(&self, o_prot: &mut dyn TOutputProtocol) -> thrift::Result<()> {
        let struct_ident = TStructIdentifier::new("TimeSeries");
        o_prot.write_struct_begin(&struct_ident)?;
        o_prot.write_field_begin(&TFieldIdentifier::new("name", TType::String, 1))?;
        o_prot.write_string(&self.name)?;
        o_prot.write_field_end()?;
        o_prot.write_field_begin(&TFieldIdentifier::new("unit", TType::String, 2))?;
        o_prot.write_string(&self.unit)?;
        o_prot.write_field_end()?;
        o_prot.write_field_begin(&TFieldIdentifier::new("labels", TType::Struct, 3))?;
        self.labels.write_to_out_protocol(o_prot)?;
        o_prot.write_field_end()?;
        o_prot.write_field_begin(&TFieldIdentifier::new("start", TType::I64, 4))?;
        o_prot.write_i64(self.start)?;
        o_prot.write_field_end()?;
        o_prot.write_field_begin(&TFieldIdentifier::new("points", TType::List, 5))?;
        o_prot.write_list_begin(&TListIdentifier::new(TType::Struct, self.points.len() as i32))?;
        for e in &self.points {
            e.write_to_out_protocol(o_prot)?;
        }
        o_prot.write_list_end()?;
        o_prot.write_field_end()?;
        o_prot.write_field_stop()?;
        o_prot.write_struct_end()
    }
}
